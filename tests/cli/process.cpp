#include "tests/cli/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace et::test {
namespace {

constexpr unsigned short terminalRows = 24;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File temporaryFile() {
    return {std::tmpfile(), &std::fclose};
}

std::string contentOf(std::FILE* file) {
    std::string text;
    std::array<char, 4096> part{};
    std::fseek(file, 0, SEEK_SET);
    while (const std::size_t size = std::fread(part.data(), 1, part.size(), file)) {
        text.append(part.data(), size);
    }
    return text;
}

/// The two ends of a raw-mode terminal.
struct Terminal {
    int master = -1;
    int slave = -1;

    explicit Terminal(unsigned short columns) {
        winsize size{.ws_row = terminalRows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
        termios raw{};
        cfmakeraw(&raw);
        EXPECT_EQ(openpty(&master, &slave, nullptr, &raw, &size), 0);
    }

    /// Returns the output of the process until it exits.
    [[nodiscard]] std::string drain() {
        ::close(slave);
        std::string text;
        std::array<char, 4096> part{};
        for (ssize_t size = 0; (size = ::read(master, part.data(), part.size())) > 0;) {
            text.append(part.data(), static_cast<std::size_t>(size));
        }
        ::close(master);
        return text;
    }
};

void enterSurroundings(const ProcessEnvironment& surroundings) {
    for (const char* name : {"NO_COLOR", "COLUMNS", "TERM", "LC_ALL", "LC_CTYPE", "LANG"}) {
        unsetenv(name);
    }
    const std::string path = std::string(ET_INSPECT_FOLDER) + ":" + std::getenv("PATH");
    setenv("PATH", path.c_str(), 1);
    for (const auto& [name, value] : surroundings.environment) {
        setenv(name.c_str(), value.c_str(), 1);
    }
    if (chdir(surroundings.folder.c_str()) != 0) {
        _exit(127);
    }
}

[[noreturn]] void becomeShell(const std::string& command, const ProcessEnvironment& surroundings, int out,
                              int err) {
    enterSurroundings(surroundings);
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
}

int exitCodeOf(pid_t process) {
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Outcome runShell(const std::string& command, const ProcessEnvironment& surroundings) {
    const File out = temporaryFile();
    const File err = temporaryFile();
    std::optional<Terminal> terminal;
    if (surroundings.terminalColumns) {
        terminal.emplace(*surroundings.terminalColumns);
    }
    const pid_t process = fork();
    if (process == 0) {
        becomeShell(command, surroundings, terminal ? terminal->slave : fileno(out.get()), fileno(err.get()));
    }
    Outcome outcome;
    if (terminal) {
        outcome.out = terminal->drain();
    }
    outcome.code = exitCodeOf(process);
    if (!terminal) {
        outcome.out = contentOf(out.get());
    }
    outcome.err = contentOf(err.get());
    return outcome;
}

}  // namespace et::test
