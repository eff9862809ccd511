#include "app/tasks/debug/debug_process.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/model/model.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <new>
#include <span>
#include <sstream>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Pipe;
using core::Result;
namespace fs = std::filesystem;

constexpr std::chrono::milliseconds endPatience{2000};
constexpr std::chrono::milliseconds pollInterval{50};

Result<DebugProgress*> makeProgress() {
    void* const memory =
        ::mmap(nullptr, sizeof(DebugProgress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return std::unexpected(core::systemError("cannot share memory", errno));
    }
    return new (memory) DebugProgress();
}

/// Returns a ReadAll that fails with Cancelled once `goesOn` returns false.
wire::ReadAll readingWhile(const core::Descriptor& from, std::function<bool()> goesOn) {
    return [&from, goesOn = std::move(goesOn)](std::span<std::byte> into) -> Result<> {
        while (!into.empty()) {
            if (!core::readable(from, pollInterval)) {
                if (!goesOn()) {
                    return fail(ErrorCode::Cancelled, "interrupted");
                }
                continue;
            }
            const ssize_t count = ::read(from.get(), into.data(), into.size());
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count <= 0) {
                return fail(ErrorCode::Io, "the process of the model ended");
            }
            into = into.subspan(static_cast<std::size_t>(count));
        }
        return {};
    };
}

void addLines(std::vector<std::string>& lines, const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(std::move(line));
    }
}

}  // namespace

Result<std::unique_ptr<DebugProcess>> DebugProcess::start(DebugSettings settings, AnswerRenderer render) {
    ET_ASSIGN(DebugProgress* const progress, makeProgress());
    std::unique_ptr<DebugProcess> made(new DebugProcess(std::move(settings), std::move(render), progress));
    ET_TRY(made->launch());
    return made;
}

DebugProcess::~DebugProcess() {
    requests.close();
    if (process != nullptr) {
        process->end(endPatience);
    }
    ::munmap(progress, sizeof(DebugProgress));
}

Result<> DebugProcess::launch() {
    if (process != nullptr) {
        requests.close();
        process->end({});
    }
    ET_ASSIGN(Pipe toIt, Pipe::make());
    ET_ASSIGN(Pipe fromIt, Pipe::make());
    progress->interrupt = false;
    progress->isRunning = false;
    ET_ASSIGN(core::ChildProcess started, core::ChildProcess::fork([&] {
                  toIt.write.close();
                  fromIt.read.close();
                  serveDebugger(settings, recording, render, *progress, toIt.read.get(), fromIt.write.get());
              }));
    process = std::make_unique<core::ChildProcess>(std::move(started));
    requests = std::move(toIt.write);
    responses = std::move(fromIt.read);
    fromIt.write.close();
    ET_ASSIGN(const DebugResponse opened, receive());
    if (opened.error) {
        return std::unexpected(*opened.error);
    }
    lack = opened.text;
    return {};
}

Result<DebugResponse> DebugProcess::receive() {
    const auto message = receiveMessage(
        readingWhile(responses, [this] { return interruptions < 2 && !InterruptionGuard::requested(); }));
    if (InterruptionGuard::requested()) {
        process->end({});
        return fail(ErrorCode::Cancelled, "interrupted");
    }
    if (!message && message.error().code == ErrorCode::Cancelled) {
        process->end({});
        return fail(ErrorCode::Unsupported, "it did not end when interrupted, and was killed");
    }
    if (!message) {
        return fail(ErrorCode::Unsupported, core::endText(process->end(endPatience)));
    }
    return decodeResponse(*message);
}

Result<DebugResponse> DebugProcess::exchange(const DebugRequest& request) {
    progress->interrupt = false;
    progress->setBegun({});
    interruptions = 0;
    // A failed write means that it ended, which receive() explains.
    static_cast<void>(sendMessage(requests.get(), encode(request)));
    return receive();
}

DebugRequest DebugProcess::restoring(std::string message) const {
    return {.kind = DebugRequest::Kind::Restore,
            .definitions = definitions,
            .executions = executions,
            .runsAgain = true,
            .firstBranch = recordedBranch,
            .branch = progress->branch,
            .execution = progress->execution,
            .step = progress->step,
            .chain = progress->chain,
            .instruction = progress->instruction,
            .message = std::move(message)};
}

Result<DebugResponse> DebugProcess::recover(const core::Error& cause) {
    const bool wasRunning = progress->isRunning;
    addLines(executions, progress->begun());
    DebugRequest request = restoring(cause.message);
    request.runsAgain = wasRunning;
    ET_TRY(launch());
    Result<DebugResponse> restored = exchange(request);
    if (!restored || restored->error) {
        // The executions fail again: only the definitions and the recording.
        request.runsAgain = false;
        ET_TRY(launch());
        restored = exchange(request);
    }
    if (!request.runsAgain) {
        executions.clear();
    }
    if (restored) {
        restored->begun.clear();
    }
    if (!wasRunning && restored) {
        restored->error = cause;
        restored->text = render(std::unexpected(cause));
    }
    return restored;
}

Result<DebugResponse> DebugProcess::swap(std::string plugin) {
    DebugRequest request = restoring({});
    settings.options.plugins.emplace_back(std::move(plugin));
    auto launched = launch();
    if (!launched) {
        settings.options.plugins.pop_back();
        const core::Error& error = launched.error();
        ET_TRY(launch());
        ET_ASSIGN(DebugResponse restored, exchange(request));
        restored.error = error;
        restored.text = render(std::unexpected(error));
        return restored;
    }
    return exchange(request);
}

Result<> DebugProcess::deliver(SavedRecording saved) const {
    std::vector<fs::path> inputs = Model::files(settings.model, settings.options);
    inputs.push_back(settings.options.record);
    ET_TRY(refuseToReplace(saved.file, inputs));
    return writeFile(saved.file, core::FileContent(std::move(saved.bytes)));
}

void DebugProcess::remember(const DebugResponse& response) {
    if (response.isReset) {
        executions.clear();
        recording.clear();
        recordedBranch = 0;
        settings.recording.clear();
    }
    if (!response.edited.empty()) {
        executions.clear();
        recording = response.edited;
        recordedBranch = progress->branch;
    }
    addLines(executions, response.begun);
    if (!response.definition.empty()) {
        definitions.push_back(response.definition);
    }
}

Result<std::optional<DebugReply>> DebugProcess::run(std::string_view line) {
    Result<DebugResponse> response = exchange({.kind = DebugRequest::Kind::Line, .line = std::string(line)});
    if (response && !response->plugin.empty()) {
        response = swap(response->plugin);
    }
    if (!response && response.error().code == ErrorCode::Unsupported) {
        response = recover(response.error());
    }
    ET_TRY(response);
    if (response->isAnswer && !response->error && !response->saved.file.empty()) {
        if (const auto saved = deliver(std::move(response->saved)); !saved) {
            response->error = saved.error();
            response->text = render(std::unexpected(saved.error()));
        }
    }
    remember(*response);
    if (!response->isAnswer) {
        return std::optional<DebugReply>();
    }
    return std::optional(DebugReply{
        .text = std::move(response->text), .error = std::move(response->error), .quits = response->quits});
}

std::vector<std::string> DebugProcess::complete(std::string_view line) {
    const auto response = exchange({.kind = DebugRequest::Kind::Complete, .line = std::string(line)});
    std::vector<std::string> found;
    addLines(found, response ? response->text : std::string());
    return found;
}

void DebugProcess::interrupt() {
    ++interruptions;
    progress->interrupt = true;
}

bool DebugProcess::takeInterruption() {
    return std::exchange(interruptions, 0) > 0;
}

}  // namespace et::tasks
