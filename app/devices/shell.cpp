#include "app/devices/shell.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace et::devices {
namespace {

using core::Pipe;
using core::Result;

constexpr const char* finder = "/usr/bin/env";  // it searches PATH
constexpr std::size_t lastBytes = 4096;

std::vector<std::string> sshArguments(const Target& target, std::string_view commandLine) {
    std::vector<std::string> argv{"env", "ssh", "-T"};
    for (const char* const option :
         {"BatchMode=yes", "StrictHostKeyChecking=yes", "ConnectTimeout=15", "ServerAliveInterval=15",
          "ServerAliveCountMax=3", "ForwardAgent=no", "ForwardX11=no", "ClearAllForwardings=yes"}) {
        argv.insert(argv.end(), {"-o", option});
    }
    if (!target.sshConfig.empty()) {
        argv.insert(argv.end(), {"-F", target.sshConfig.string()});
    }
    if (target.port) {
        argv.insert(argv.end(), {"-p", fmt::format("{}", *target.port)});
    }
    argv.insert(argv.end(), {"--", target.host, std::string(commandLine)});
    return argv;
}

}  // namespace

std::vector<std::string> shellArguments(const Target& target, std::string_view commandLine) {
    switch (target.reach) {
        case Reach::Ssh:
            return sshArguments(target, commandLine);
        case Reach::Adb:
            return {"env", "adb", "-s", target.host, "shell", "-T", std::string(commandLine)};
        default:
            return {"env", "sh", "-c", std::string(commandLine)};
    }
}

std::string Connection::errorText(std::size_t maxBytes) const {
    const off_t size = ::lseek(said.get(), 0, SEEK_END);
    const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(maxBytes));
    std::string text(static_cast<std::size_t>(std::max<off_t>(size - begin, 0)), '\0');
    const ssize_t got = ::pread(said.get(), text.data(), text.size(), begin);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

std::string Connection::lastErrorLine() const {
    std::string text = errorText(lastBytes);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
        text.pop_back();
    }
    std::erase(text, '\r');
    std::ranges::replace(text, '\n', ' ');
    return core::printable(text);
}

Result<Connection> connect(const Target& target, std::string_view commandLine) {
    ET_ASSIGN(Pipe to, Pipe::make());
    ET_ASSIGN(Pipe from, Pipe::make());
    core::Descriptor said(::memfd_create("stderr", MFD_CLOEXEC));
    if (!said) {
        return std::unexpected(core::systemError("out of memory for the output of a command", errno));
    }
    ET_ASSIGN(core::ChildProcess process,
              core::ChildProcess::spawn({.program = finder,
                                         .argv = shellArguments(target, commandLine),
                                         .redirections = {{.number = STDIN_FILENO, .from = to.read.get()},
                                                          {.number = STDOUT_FILENO, .from = from.write.get()},
                                                          {.number = STDERR_FILENO, .from = said.get()}}}));
    return Connection{.to = std::move(to.write),
                      .from = std::move(from.read),
                      .said = std::move(said),
                      .process = std::move(process)};
}

}  // namespace et::devices
