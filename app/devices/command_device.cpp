#include "app/devices/command_device.h"

#include "app/devices/played_trace.h"
#include "app/devices/runner_log.h"
#include "app/devices/shell.h"
#include "inspector/format/checksum.h"
#include "runtime/core/file_replacement.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>

namespace et::devices {
namespace {

namespace fs = std::filesystem;
using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view usualFolder = "/tmp/et-inspect";

/// A temporary folder, removed with this object.
class ScratchFolder {
  public:
    [[nodiscard]] static Result<ScratchFolder> make() {
        std::string name = (fs::temp_directory_path() / "et-command-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            return std::unexpected(core::systemError("cannot create a folder", errno, name));
        }
        return ScratchFolder(name);
    }
    ScratchFolder(ScratchFolder&& other) noexcept : path(std::exchange(other.path, {})) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder() {
        std::error_code unknown;
        if (!path.empty()) {
            fs::remove_all(path, unknown);
        }
    }

    fs::path path;

  private:
    explicit ScratchFolder(fs::path made) : path(std::move(made)) {}
};

Result<> writeBytes(const fs::path& path, Bytes bytes) {
    ET_ASSIGN(auto file, core::FileReplacement::open(path));
    ET_TRY(file.write(bytes));
    return file.finish();
}

/// Runs the commands of a target, and pushes files with them.
class Commands {
  public:
    Commands(const Target& what, const DeviceOptions& given, ScratchFolder folder)
        : target(what), options(given), scratch(std::move(folder)) {}

    [[nodiscard]] std::string there(std::string_view name) const {
        return fmt::format("{}/{}", target.folder.empty() ? usualFolder : target.folder, name);
    }

    /// Runs a command and waits for its end. Returns the end of its output. Errors: Unsupported (it failed;
    /// the message contains its output), Cancelled.
    Result<std::string> run(std::string_view command, const Replacements& texts) const {
        Target here;
        ET_ASSIGN(Connection started, connect(here, filledIn(command, texts)));
        started.to.close();
        std::string out;
        const core::ReadLimits limits{
            .cancelled = [this] { return options.cancel != nullptr && *options.cancel; }};
        core::PipeReader intake{.from = started.from, .into = out, .maxBytes = lastBytes, .keepsEnd = true};
        if (core::readAll(std::span(&intake, 1), limits) == core::ReadEnd::Cancelled ||
            core::waitWithin(started.process, limits) == core::ReadEnd::Cancelled) {
            return fail(ErrorCode::Cancelled, "cancelled");
        }
        const core::ProcessEnd end = started.process.end();
        if (end != core::ProcessEnd()) {
            const std::string words = started.lastErrorLine();
            return fail(
                ErrorCode::Unsupported,
                fmt::format("a command failed: {}{}{}", core::endText(end), words.empty() ? "" : ": ", words),
                {.file = titleOf(target), .field = {}, .offset = {}});
        }
        return out + "\n" + started.errorText(lastBytes);
    }

    /// Pushes each content once. Returns its path on the device.
    Result<std::string> push(Bytes content, std::string_view ending) {
        const std::string name = inspector::format::sha256(content) + std::string(ending);
        const fs::path local = scratch.path / name;
        if (pushed.insert(name).second) {
            ET_TRY(writeBytes(local, content));
            auto done = target.commands.push.empty()
                            ? Result<std::string>()
                            : run(target.commands.push, {{"from", local.string()}, {"to", there(name)}});
            if (!done) {
                pushed.erase(name);
                return std::unexpected(std::move(done).error());
            }
        }
        // Without a command to push, the device sees the files of this machine.
        return target.commands.push.empty() ? local.string() : there(name);
    }

    /// Returns a file that a run has written, or null if it was not written.
    Result<std::shared_ptr<const core::MappedFile>> pull(const std::string& name) const {
        const fs::path local = scratch.path / name;
        if (!target.commands.pull.empty()) {
            static_cast<void>(run(target.commands.pull, {{"from", there(name)}, {"to", local.string()}}));
        }
        std::error_code unknown;
        if (!fs::exists(local, unknown)) {
            return std::shared_ptr<const core::MappedFile>();
        }
        ET_ASSIGN(auto file, core::MappedFile::open(local));
        fs::remove(local, unknown);  // the mapping stays valid
        return file;
    }
    [[nodiscard]] std::string written(const std::string& name) const {
        return target.commands.pull.empty() ? (scratch.path / name).string() : there(name);
    }

    /// True if a run writes a trace.
    [[nodiscard]] bool traces() const { return target.commands.run.contains("{etdump}"); }

    static constexpr std::size_t lastBytes = std::size_t{64} << 10;
    Target target;
    DeviceOptions options;
    ScratchFolder scratch;
    DeviceSummary seen;
    std::set<std::string> pushed;
    std::uint64_t executions = 0;
};

class CommandMethod final : public executor::RemoteMethod {
  public:
    CommandMethod(std::shared_ptr<Commands> shared, std::string model)
        : commands(std::move(shared)), path(std::move(model)) {}

    Result<executor::RemoteTimes> execute(std::span<core::Value* const> inputs,
                                          std::span<core::Value* const> outputs,
                                          core::EventTracer* tracer) override {
        ++commands->executions;
        const std::string etdump = "run.etdp";
        const std::string debug = "run.bin";
        const std::string prefix = "run-output";
        ET_ASSIGN(std::string pushedInputs, pushInputs(inputs));
        ET_ASSIGN(const std::string said,
                  commands->run(commands->target.commands.run, {{"model", path},
                                                                {"inputs", pushedInputs},
                                                                {"etdump", commands->written(etdump)},
                                                                {"debug", commands->written(debug)},
                                                                {"outputs", commands->written(prefix)}}));
        ET_ASSIGN(kept, traceOf(etdump, debug));
        ET_TRY(kept.takeOutputs(outputs, [&](std::size_t index) {
            return commands->pull(fmt::format("{}-{}.bin", prefix, index));
        }));
        if (tracer != nullptr) {
            ET_TRY(kept.play(*tracer));
        }
        ET_ASSIGN(const std::uint64_t time, timeOf(said));
        ++commands->seen.executions;
        ++commands->seen.kept;
        return executor::RemoteTimes{.nanoseconds = time, .instructions = kept.instructions()};
    }
    executor::RemoteTimes loading() const override { return {}; }

  private:
    /// Errors: Unsupported (the trace that should have been written is missing).
    Result<PlayedTrace> traceOf(const std::string& etdump, const std::string& debug) const {
        if (!commands->traces()) {
            return PlayedTrace();
        }
        ET_ASSIGN(const auto trace, commands->pull(etdump));
        if (trace == nullptr) {
            return fail(ErrorCode::Unsupported, "the command wrote no trace to {etdump}",
                        {.file = titleOf(commands->target), .field = {}, .offset = {}});
        }
        ET_ASSIGN(const auto buffer, commands->pull(debug));
        return PlayedTrace::open(trace, buffer);
    }

    /// Returns the time from the trace, else from the log of ExecuTorch's runner. Errors: Unsupported
    /// (neither has it).
    Result<std::uint64_t> timeOf(std::string_view said) const {
        if (commands->traces()) {
            return kept.nanoseconds();
        }
        const RunnerLog log = readRunnerLog(said);
        if (log.executionNanoseconds.empty()) {
            return fail(
                ErrorCode::Unsupported,
                "the command has no {etdump}, and does not print its run time (\"Iteration 1 of 1: 1.5 ms\")",
                {.file = titleOf(commands->target), .field = {}, .offset = {}});
        }
        return static_cast<std::uint64_t>(log.executionNanoseconds.back());
    }

    Result<std::string> pushInputs(std::span<core::Value* const> inputs) {
        std::string list;
        for (core::Value* const each : inputs) {
            const auto* tensor = each->as<core::Tensor>();
            if (tensor == nullptr) {
                continue;  // the program contains the values of numeric inputs
            }
            ET_ASSIGN(const std::string file, commands->push(tensor->rawBytes(), ".bin"));
            list += (list.empty() ? "" : ",") + file;
        }
        return list;
    }

    std::shared_ptr<Commands> commands;
    std::string path;
    PlayedTrace kept;  ///< backs the outputs
};

class CommandModule final : public executor::RemoteModule {
  public:
    CommandModule(std::shared_ptr<Commands> shared, std::string model)
        : commands(std::move(shared)), path(std::move(model)) {}

    Result<std::unique_ptr<executor::RemoteMethod>> load(const program::Method&,
                                                         core::EventTracer*) override {
        return std::make_unique<CommandMethod>(commands, path);
    }

  private:
    std::shared_ptr<Commands> commands;
    std::string path;
};

class CommandDevice final : public Device {
  public:
    explicit CommandDevice(std::shared_ptr<Commands> shared) : commands(std::move(shared)) {}

    Result<std::unique_ptr<executor::RemoteModule>> open(const executor::ModuleSetup& setup) override {
        if (!setup.tensorData.empty()) {
            return fail(ErrorCode::Unsupported, "command targets do not support external weights (--data)",
                        {.file = titleOf(commands->target), .field = {}, .offset = {}});
        }
        ET_ASSIGN(std::string path, commands->push(setup.program.bytes, ".pte"));
        return std::make_unique<CommandModule>(commands, std::move(path));
    }
    const Target& target() const override { return commands->target; }
    const DeviceSummary& summary() const override { return commands->seen; }
    std::optional<wire::DeviceState> lastState() const override { return std::nullopt; }

  private:
    std::shared_ptr<Commands> commands;
};

}  // namespace

std::string filledIn(std::string_view command, const Replacements& texts) {
    std::string filled;
    for (std::size_t at = 0; at < command.size();) {
        const auto found = std::ranges::find_if(texts, [&](const auto& each) {
            return command.substr(at).starts_with(fmt::format("{{{}}}", each.first));
        });
        if (found == texts.end()) {
            filled += command[at++];
        } else {
            filled += shellWord(found->second);
            at += found->first.size() + 2;
        }
    }
    return filled;
}

Result<std::shared_ptr<Device>> openCommandDevice(const Target& target, const DeviceOptions& options) {
    if (target.commands.run.empty()) {
        return fail(ErrorCode::NotFound, "address \"command:\" requires a target with a command to run",
                    {.file = titleOf(target), .field = {}, .offset = {}});
    }
    if (!options.backendsOff.empty() || !options.keep.condition.empty() || !options.logFile.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "--backend-off, --keep-if and --device-log need an agent, and command targets have none");
    }
    ET_ASSIGN(ScratchFolder scratch, ScratchFolder::make());
    return std::make_shared<CommandDevice>(std::make_shared<Commands>(target, options, std::move(scratch)));
}

}  // namespace et::devices
