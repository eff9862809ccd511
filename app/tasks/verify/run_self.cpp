#include "app/tasks/verify/run_self.h"

#include "app/tasks/base/interruption.h"
#include "runtime/core/own_programs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <utility>

namespace et::tasks {
namespace {

using core::ChildProcess;
using core::Pipe;
using core::ReadEnd;
using core::ReadLimits;

/// Descriptor number of reportPath.
constexpr int reportDescriptor = 3;
/// Bytes kept of stdout and stderr.
constexpr std::size_t lastWords = 4096;
/// Far above the size of any report.
constexpr std::size_t maxReport = std::size_t{256} << 20;

core::Result<ChildProcess> start(const std::string& program, std::vector<std::string> argv,
                                 const Pipe& report, const Pipe& said) {
    const core::ProcessStart start{
        .program = program,
        .argv = std::move(argv),
        .redirections = {{.number = STDIN_FILENO},
                         {.number = STDOUT_FILENO, .from = said.write.get()},
                         {.number = STDERR_FILENO, .from = said.write.get()},
                         {.number = reportDescriptor, .from = report.write.get()}}};
    return ChildProcess::spawn(start);
}

ChildResult::Cause causeOf(ReadEnd how) {
    switch (how) {
        case ReadEnd::Deadline:
            return ChildResult::Cause::Timeout;
        case ReadEnd::Cancelled:
            return ChildResult::Cause::Interruption;
        default:
            return ChildResult::Cause::Itself;
    }
}

}  // namespace

core::Result<ChildResult> runSelf(const std::vector<std::string>& arguments,
                                  std::optional<std::chrono::duration<double>> timeout) {
    std::vector<std::string> argv{"et-inspect"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return runProgram(core::sameProgram().string(), std::move(argv), timeout);
}

core::Result<ChildResult> runProgram(const std::string& program, std::vector<std::string> argv,
                                     std::optional<std::chrono::duration<double>> timeout) {
    ReadLimits limits{.cancelled = [] { return InterruptionGuard::requested().load(); }};
    if (timeout) {
        limits.deadline = core::deadlineIn(*timeout);
    }
    ET_ASSIGN(Pipe report, Pipe::make());
    ET_ASSIGN(Pipe said, Pipe::make());
    ET_ASSIGN(ChildProcess child, start(program, std::move(argv), report, said));
    report.write.close();
    said.write.close();
    ChildResult end;
    std::array intakes{
        core::PipeReader{.from = report.read, .into = end.report, .maxBytes = maxReport},
        core::PipeReader{.from = said.read, .into = end.said, .maxBytes = lastWords, .keepsEnd = true}};
    ReadEnd how = core::readAll(intakes, limits);
    if (how == ReadEnd::TooLong) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("its report is longer than {} bytes", maxReport));
    }
    if (how == ReadEnd::Closed) {
        how = core::waitWithin(child, limits);
    }
    end.cause = causeOf(how);
    end.process = child.end();
    return end;
}

}  // namespace et::tasks
