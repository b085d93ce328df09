import{load as a,loadWorker as e,SapperError as p}from"./shared.js";export{p as SapperError,a as load,e as loadWorker};
