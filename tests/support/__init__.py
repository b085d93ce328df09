"""What several tests share: a brute-force oracle, strategies, known answers, a subprocess."""
