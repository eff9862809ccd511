// write_trace RUNS EVENTS FILE: writes a trace with the given runs and events per run
// (tests/support/generated_trace.h), for benchmarks that are not C++.
#include "tests/support/generated_trace.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

int main(int count, char** arguments) {
    if (count != 4) {
        std::fputs("usage: write_trace RUNS EVENTS FILE\n", stderr);
        return 2;
    }
    const auto bytes = et::test::makeTrace(std::strtoull(arguments[1], nullptr, 10),
                                           std::strtoull(arguments[2], nullptr, 10));
    std::ofstream file(arguments[3], std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return file.flush() ? 0 : 1;
}
