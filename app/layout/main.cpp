#include "inspector/graph/engine/graphviz_engine.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace {

/// Memory limit for one picture, to protect the rest of the machine. AddressSanitizer reserves terabytes of
/// address space without using them.
#ifdef __SANITIZE_ADDRESS__
constexpr rlim_t maxMemory = RLIM_INFINITY;
#else
constexpr rlim_t maxMemory = rlim_t{4} << 30;
#endif
constexpr rlim_t maxSeconds = 600;

void limit(__rlimit_resource resource, rlim_t max) {
    const rlimit value{.rlim_cur = max, .rlim_max = max};
    static_cast<void>(::setrlimit(resource, &value));
}

std::string readAll() {
    std::string text;
    char buffer[65536];
    for (ssize_t got = 1; got > 0;) {
        got = ::read(STDIN_FILENO, buffer, sizeof buffer);
        text.append(buffer, static_cast<std::size_t>(got > 0 ? got : 0));
    }
    return text;
}

}  // namespace

/// et-layout: reads a graph in the DOT language and writes the positions of its elements. et-inspect and
/// et-studio start it once per picture.
int main() {
    limit(RLIMIT_AS, maxMemory);
    limit(RLIMIT_CPU, maxSeconds);
    limit(RLIMIT_CORE, 0);
    const std::string answer = et::inspector::engine::layOutDot(readAll());
    const bool written =
        std::fwrite(answer.data(), 1, answer.size(), stdout) == answer.size() && std::fflush(stdout) == 0;
    ::_exit(written && !answer.empty() ? 0 : 1);
}
