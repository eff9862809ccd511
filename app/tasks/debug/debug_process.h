#pragma once

#include "app/tasks/debug/debug_commands.h"
#include "app/tasks/debug/debug_info.h"
#include "app/tasks/debug/debug_progress.h"
#include "app/tasks/debug/debug_settings.h"
#include "app/wire/frame.h"
#include "runtime/core/child_process.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Converts an answer to the text that the session prints.
using AnswerRenderer = std::function<std::string(const core::Result<Dict>& answer)>;

/// The answer to a line.
struct DebugReply {
    std::string text;                    ///< rendered
    std::optional<core::Error> error{};  ///< if the command failed
    bool quits = false;
};

/// Messages between both processes.
struct DebugRequest {
    enum class Kind : std::uint8_t { Line, Complete, Restore };
    Kind kind = Kind::Line;
    std::string line{};
    // Restore: the work of a process that ended.
    std::vector<std::string> definitions{};  ///< lines that made breakpoints and watchpoints
    std::vector<std::string> executions{};   ///< `start` lines, after those of the recording
    bool runsAgain = false;                  ///< to the point
    std::uint64_t firstBranch = 0;           ///< to which the lines belong
    std::uint64_t branch = 0;                ///< of the point
    std::uint64_t execution = 0;
    std::uint64_t step = 0;
    std::int32_t chain = 0;
    std::int32_t instruction = 0;
    std::string message{};  ///< how it ended; empty: on request
};
struct DebugResponse {
    std::string text{};
    bool isAnswer = true;  ///< false for a blank line or a comment
    std::optional<core::Error> error{};
    bool quits = false;
    std::string definition{};
    bool isReset = false;
    std::string begun{};
    std::string plugin{};
    std::vector<std::byte> edited{};  ///< the recording after an edit; empty: no edit
    SavedRecording saved{};
};

/// A session whose model runs in a child process: if the model crashes, the session names the instruction and
/// continues with a new process, in which breakpoints and edits exist and the executions have run again up to
/// that instruction. Processes are forked, so there must be no other threads.
class DebugProcess {
  public:
    /// Opens the model. Errors: those of the files; Io, Unsupported (SandboxMode::On without support).
    [[nodiscard]] static core::Result<std::unique_ptr<DebugProcess>> start(DebugSettings settings,
                                                                           AnswerRenderer render);
    DebugProcess(const DebugProcess&) = delete;
    DebugProcess& operator=(const DebugProcess&) = delete;
    ~DebugProcess();

    /// Runs a line and waits for its answer; a blank line or comment has none. Errors: Io, Unsupported (the
    /// process ended and a new one does not start).
    [[nodiscard]] core::Result<std::optional<DebugReply>> run(std::string_view line);
    /// Completions of the last word. Empty on any error.
    [[nodiscard]] std::vector<std::string> complete(std::string_view line);
    /// Ends the running command, which answers "interrupted"; the second time, the process. For signal
    /// handlers.
    void interrupt();
    /// Sets whether the last line was interrupted to false and returns it.
    [[nodiscard]] bool takeInterruption();
    /// The protection that the sandbox lacks; empty: none.
    [[nodiscard]] const std::string& sandboxLack() const { return lack; }

  private:
    DebugProcess(DebugSettings given, AnswerRenderer renderer, DebugProgress* shared)
        : settings(std::move(given)), render(std::move(renderer)), progress(shared) {}

    [[nodiscard]] core::Result<> launch();
    [[nodiscard]] core::Result<DebugResponse> exchange(const DebugRequest& request);
    [[nodiscard]] core::Result<DebugResponse> receive();
    [[nodiscard]] core::Result<DebugResponse> recover(const core::Error& cause);
    [[nodiscard]] core::Result<DebugResponse> swap(std::string plugin);
    [[nodiscard]] DebugRequest restoring(std::string message) const;
    [[nodiscard]] core::Result<> deliver(SavedRecording saved) const;
    void remember(const DebugResponse& response);

    DebugSettings settings;
    AnswerRenderer render;
    DebugProgress* progress;  ///< in shared memory
    std::unique_ptr<core::ChildProcess> process;
    core::Descriptor requests;
    core::Descriptor responses;
    std::vector<std::string> definitions;
    std::vector<std::byte> recording;     ///< after the last edit; empty: none
    std::uint64_t recordedBranch = 0;     ///< the current one then
    std::vector<std::string> executions;  ///< since then
    std::string lack;
    int interruptions = 0;
};

/// Body of the child process: answers requests until the pipe closes. `recording`: opened instead of that of
/// the settings unless it is empty.
void serveDebugger(const DebugSettings& settings, core::Bytes recording, const AnswerRenderer& render,
                   DebugProgress& progress, int requests, int responses);

/// Transfer of messages: a length, then the encoded message. Errors: Io, Limit, Format, those of `read`.
[[nodiscard]] core::Result<> sendMessage(int to, core::Bytes message);
[[nodiscard]] core::Result<std::vector<std::byte>> receiveMessage(const wire::ReadAll& read);
[[nodiscard]] std::vector<std::byte> encode(const DebugRequest& request);
[[nodiscard]] std::vector<std::byte> encode(const DebugResponse& response);
[[nodiscard]] core::Result<DebugRequest> decodeRequest(core::Bytes message);
[[nodiscard]] core::Result<DebugResponse> decodeResponse(core::Bytes message);

}  // namespace et::tasks
