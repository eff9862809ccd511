// The agent, which et-inspect starts on a device to run models there. See README.md.

#include "app/agent/session.h"
#include "app/wire/frame.h"
#include "runtime/core/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace et::agent {
namespace {

using core::Result;

/// How long an execution may continue after the other side has disconnected.
constexpr std::chrono::seconds grace{2};

/// Waits in a separate thread until the other side disconnects.
void watch(int input, Session& session) {
    pollfd waited{.fd = input, .events = POLLRDHUP, .revents = 0};
    while (::poll(&waited, 1, -1) < 0) {
    }
    session.cancel();
    std::this_thread::sleep_for(grace);
    ::_exit(0);
}

Result<> serve(const std::string& folder, const std::string& name) {
    // Keeps output printed by a model out of the protocol stream.
    const core::Descriptor input(::dup(STDIN_FILENO));
    const core::Descriptor output(::dup(STDOUT_FILENO));
    if (const core::Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC)); nowhere) {
        ::dup2(nowhere.get(), STDIN_FILENO);
        ::dup2(nowhere.get(), STDOUT_FILENO);
    }
    ET_ASSIGN(const auto session, Session::open({.folder = folder, .name = name},
                                                {.read = wire::readingFrom(input.get()),
                                                 .write = [&](wire::FrameKind kind, core::Bytes body) {
                                                     return wire::writeFrame(output.get(), kind, body);
                                                 }}));
    if (core::writeAll(output.get(), std::as_bytes(std::span(wire::greeting))) != 0) {
        return {};
    }
    std::thread([&] { watch(input.get(), *session); }).detach();
    for (;;) {
        ET_ASSIGN(const bool goesOn, session->step());
        if (!goesOn) {
            return {};
        }
    }
}

int run(std::span<char*> arguments) {
    if (arguments.size() == 4 && std::string_view(arguments[1]) == "serve") {
        std::signal(SIGPIPE, SIG_IGN);
        ::prctl(PR_SET_NAME, "et-agent");  // after execution from memory the name would be a number in /proc
        const auto served = serve(arguments[2], arguments[3]);
        if (!served) {
            std::fprintf(stderr, "et-agent: %s\n", served.error().toString().c_str());
        }
        std::fflush(stderr);
        ::_exit(served ? 0 : 1);  // also ends the watching thread
    }
    if (arguments.size() == 2 && std::string_view(arguments[1]) == "--version") {
        std::printf("et-agent %s\n", ET_INSPECT_VERSION);
        return 0;
    }
    std::fputs(
        "usage: et-agent serve FOLDER SESSION   (started by et-inspect --on TARGET)\n"
        "       et-agent --version\n",
        stderr);
    return 2;
}

}  // namespace
}  // namespace et::agent

int main(int count, char** arguments) {
    return et::agent::run({arguments, static_cast<std::size_t>(count)});
}
