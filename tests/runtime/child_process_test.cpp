// Tests of child processes: output, termination and clean-up.
#include "runtime/core/child_process.h"

#include "runtime/core/own_programs.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace et::core {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::ptrdiff_t openDescriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
}

/// Starts a shell that runs `commands` and writes to `to`.
Result<ChildProcess> shell(const std::string& commands, const Descriptor& to) {
    return ChildProcess::spawn({.program = "/bin/sh",
                                .argv = {"sh", "-c", commands},
                                .redirections = {{.number = STDIN_FILENO},
                                                 {.number = STDOUT_FILENO, .from = to.get()},
                                                 {.number = STDERR_FILENO}}});
}

struct Said {
    std::string text{};
    ReadEnd how = ReadEnd::Closed;
    ProcessEnd end{};
};

Said say(const std::string& commands, const ReadLimits& limits = {}, std::size_t maxBytes = 1000,
         bool keepsEnd = false) {
    Said said;
    auto pipe = Pipe::make();
    auto child = shell(commands, pipe->write);
    EXPECT_TRUE(child) << child.error().toString();
    pipe->write.close();
    PipeReader intake{.from = pipe->read, .into = said.text, .maxBytes = maxBytes, .keepsEnd = keepsEnd};
    said.how = readAll(std::span(&intake, 1), limits);
    said.end = child->end(said.how == ReadEnd::Closed ? 10s : 0s);
    return said;
}

TEST(ChildProcess, MovedFromProcessIsInactive) {
    auto pipe = Pipe::make();
    auto child = shell("sleep 30", pipe->write);
    ASSERT_TRUE(child);
    ChildProcess moved(std::move(*child));
    // If the moved-from object kept its process, end() would wait for and kill every process.
    ASSERT_TRUE(child->wait(0ms).has_value());
    EXPECT_EQ(child->end(), ProcessEnd());
    EXPECT_FALSE(moved.wait(0ms).has_value()) << "it goes on in the other object";
    EXPECT_TRUE(moved.end().killed);
}

TEST(ChildProcess, ReportsOutputAndExitStatus) {
    const Said said = say("echo one; echo two; exit 3");
    EXPECT_EQ(said.text, "one\ntwo\n");
    EXPECT_EQ(said.how, ReadEnd::Closed);
    EXPECT_EQ(said.end, ProcessEnd{.code = 3});
    EXPECT_EQ(endText(said.end), "the process ended with exit code 3");
    EXPECT_EQ(endText(say("kill -SEGV $$").end), "crashed: the process got SIGSEGV (Segmentation fault)");
}

TEST(ChildProcess, ALimitEndsTheReading) {
    EXPECT_EQ(say("sleep 60", {.deadline = deadlineIn(100ms), .interval = 10ms}).how, ReadEnd::Deadline);
    EXPECT_EQ(say("sleep 60", {.cancelled = [] { return true; }}).how, ReadEnd::Cancelled);
    EXPECT_EQ(say("yes", {}, 100).how, ReadEnd::TooLong);
    EXPECT_TRUE(say("yes", {}, 100).end.killed);
    EXPECT_GT(deadlineIn(std::chrono::duration<double>(1e300)), Clock::now() + 1h);
}

TEST(ChildProcess, KeepsTheEndOfLongOutput) {
    const Said said = say("i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i+1)); done", {}, 100, true);
    EXPECT_EQ(said.how, ReadEnd::Closed);
    EXPECT_LE(said.text.size(), 65536U + 200U);
    EXPECT_TRUE(said.text.ends_with("line 499\n")) << said.text;
}

TEST(ChildProcess, DoesNotWaitForSurvivingProcess) {
    const auto start = Clock::now();
    // The child closes its pipe at once and keeps running.
    const Said said = [] {
        Said result;
        auto pipe = Pipe::make();
        auto child = shell("exec >/dev/null; exec sleep 60", pipe->write);
        pipe->write.close();
        PipeReader intake{.from = pipe->read, .into = result.text, .maxBytes = 10};
        result.how = readAll(std::span(&intake, 1), {});
        EXPECT_EQ(child->wait(20ms), std::nullopt);
        EXPECT_EQ(waitWithin(*child, {.deadline = deadlineIn(20ms), .interval = 5ms}), ReadEnd::Deadline);
        result.end = child->end(20ms);
        return result;
    }();
    EXPECT_EQ(said.how, ReadEnd::Closed);
    EXPECT_TRUE(said.end.killed);
    EXPECT_EQ(endText(said.end), "the process was killed");
    EXPECT_LT(Clock::now() - start, 30s);
}

TEST(ChildProcess, IsKilledAndReapedWithItsObject) {
    pid_t pid = -1;
    {
        auto pipe = Pipe::make();
        auto child = shell("sleep 60", pipe->write);
        ASSERT_TRUE(child);
        ChildProcess moved = *std::move(child);
        pid = moved.id();
        EXPECT_EQ(::kill(pid, 0), 0);
    }
    EXPECT_NE(::kill(pid, 0), 0);
    EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

TEST(ChildProcess, AForkDoesItsWorkAndEnds) {
    auto pipe = Pipe::make();
    auto child = ChildProcess::fork([&] {
        const std::array word{std::byte{'h'}, std::byte{'i'}};
        static_cast<void>(writeAll(pipe->write.get(), word));
    });
    ASSERT_TRUE(child);
    pipe->write.close();
    ASSERT_TRUE(readable(pipe->read, 10s));
    std::array<char, 8> got{};
    EXPECT_EQ(::read(pipe->read.get(), got.data(), got.size()), 2);
    EXPECT_EQ(child->end(10s), ProcessEnd{});
}

TEST(ChildProcess, NeverLeaksDescriptors) {
    const auto before = openDescriptors();
    const auto missing =
        ChildProcess::spawn({.program = "/nowhere/program", .argv = {"program"}, .redirections = {}});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::Io);
    EXPECT_EQ(missing.error().toString(), "/nowhere/program: cannot start: No such file or directory");
    static_cast<void>(say("exit 1"));
    static_cast<void>(say("yes", {}, 100));
    static_cast<void>(say("sleep 60", {.deadline = Clock::now()}));
    EXPECT_EQ(openDescriptors(), before);
}

TEST(ChildProcess, APipeThatCannotBeMadeIsAnError) {
    const auto before = openDescriptors();
    rlimit usual{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
    const rlimit none{.rlim_cur = 3, .rlim_max = usual.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    const auto pipe = Pipe::make();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
    ASSERT_FALSE(pipe);
    EXPECT_EQ(pipe.error().toString(), "cannot create a pipe: Too many open files");
    EXPECT_EQ(openDescriptors(), before);
}

TEST(Descriptor, ClosesWhatItOwnsOnce) {
    auto pipe = Pipe::make();
    ASSERT_TRUE(pipe);
    const int number = pipe->write.get();
    Descriptor other = std::move(pipe->write);
    EXPECT_FALSE(pipe->write);
    EXPECT_EQ(other.get(), number);
    other = std::move(pipe->read);
    EXPECT_EQ(::write(number, "x", 1), -1) << "assignment closes what was there";
    EXPECT_EQ(other.close(), 0);
    EXPECT_EQ(other.close(), 0) << "there is nothing to close any more";
}

/// Sets an environment variable during its lifetime.
class WithVariable {
  public:
    WithVariable(const char* variable, const char* value) : name(variable) { ::setenv(name, value, 1); }
    ~WithVariable() { ::unsetenv(name); }
    WithVariable(const WithVariable&) = delete;
    WithVariable& operator=(const WithVariable&) = delete;

  private:
    const char* name;
};

TEST(OwnPrograms, LauncherSetsTheirLocation) {
    EXPECT_EQ(sameProgram(), "/proc/self/exe");
    EXPECT_EQ(findOwnProgram(OwnProgram::Inspect), "") << "there is none beside a test";
    const WithVariable inspect("ET_INSPECT_LAUNCHER", "/a/bin/et-inspect");
    const WithVariable layout("ET_INSPECT_LAYOUT", "/a/layout");
    EXPECT_EQ(sameProgram(), "/a/bin/et-inspect");
    EXPECT_EQ(findOwnProgram(OwnProgram::Inspect), "/a/bin/et-inspect");
    EXPECT_EQ(findOwnProgram(OwnProgram::Layout), "/a/layout");
}

}  // namespace
}  // namespace et::core
