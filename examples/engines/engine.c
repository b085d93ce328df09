/* An engine in C: it opens what one number proves, or guesses. Boards of up to 10,000 cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20], cells[10000], mine[10000], safe[10000];
static int width, height;
static unsigned games[1000];  /* the state of each game's random numbers */

static long field(const char *key, long otherwise) {  /* the number after the key */
    char *at = strstr(line, key);
    return at ? atol(at + strlen(key)) : otherwise;
}
static int is(const char *type) { return strstr(line, type) != 0; }

static int read_rows(void) {  /* fills cells, width and height from "rows":["...",...] */
    char *at = strstr(line, "\"rows\":["), *end;
    width = height = 0;
    for (at = at ? at + 8 : 0; at && *at != ']'; at = end + 1 + (end[1] == ',')) {
        if (*at != '"' || !(end = strchr(at + 1, '"'))) return 0;
        if ((height + 1) * (width = end - at - 1) > 10000) return 0;
        memcpy(cells + height++ * width, at + 1, width);
    }
    return height > 0;
}

static void choose(long id, unsigned *random) {
    int size = width * height, guess = 1, rest = 0;
    memset(mine, 0, size), memset(safe, 0, size);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < size; i++) {
            int found[9], n = 0, left = cells[i] - '0';
            if (strchr(".F", cells[i])) continue;
            for (int r = i / width - 1; r <= i / width + 1; r++)
                for (int c = i % width - 1; c <= i % width + 1; c++)
                    if (r >= 0 && c >= 0 && r < height && c < width && strchr(".F", cells[r * width + c]))
                        found[n++] = r * width + c;
            for (int k = 0; k < n && !pass && n == left; k++) mine[found[k]] = 1;
            for (int k = 0; k < n; k++) left -= mine[found[k]];
            for (int k = 0; k < n && pass && !left; k++) if (!mine[found[k]]) safe[found[k]] = 1, guess = 0;
        }
    for (int i = 0; guess && i < size; i++)  /* each possible cell with the same chance */
        if (strchr(".F", cells[i]) && !mine[i] && rand_r(random) % ++rest == 0) memset(safe, 0, size), safe[i] = 1;
    printf("{\"type\":\"choice\",\"id\":%ld,\"guess\":%s,\"actions\":[", id, guess ? "true" : "false");
    for (int i = 0, first = 1; i < size; i++)
        if (safe[i]) printf("%s[\"open\",%d,%d]", first ? "" : ",", i / width, i % width), first = 0;
    puts("]}");
}

int main(void) {
    for (; fgets(line, sizeof line, stdin); fflush(stdout)) {
        long id = field("\"id\":", -1), game = field("\"game\":", 0) % 1000;
        if (is("\"type\":\"hello\"")) puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"C starter\",\"games\":100}");
        else if (is("\"type\":\"game\"")) games[game] = field("\"seed\":", 1) | 1;
        else if (is("\"type\":\"quit\"")) return 0;
        else if (is("\"type\":\"choose\"") && games[game] && read_rows()) choose(id, &games[game]);
        else if (is("\"type\":\"choose\"")) printf("{\"type\":\"error\",\"id\":%ld,\"code\":\"bad_request\"}\n", id);
    }
}
