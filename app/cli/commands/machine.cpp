#include "app/cli/commands/commands.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/pages/limits/machine_text.h"
#include "app/tasks/machine/machine_source.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {
namespace {

using core::Result;

enum class MachineFormat : std::uint8_t { Text, Json };

constexpr std::array machineFormats{Choice{"text", MachineFormat::Text}, Choice{"json", MachineFormat::Json}};

/// Measures the performance limits of this machine.
class MachineVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "machine"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Measure what this machine can do: operations and bytes per second";
    }
    [[nodiscard]] std::string details() const override {
        return "Measures once, which takes some seconds, and keeps the result in et-inspect/machine.json in "
               "XDG_CACHE_HOME or ~/.cache. Columns such as efficiency compare a trace with it: to look at a "
               "trace of another machine, write JSON there and import it here. Rates are the best of many "
               "short bursts, of 1 thread and of one per CPU core; the spread is how far two halves of the "
               "measurement are apart. A multiplication and an addition to its sum are two operations; bytes "
               "read and bytes written count.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect machine", "Show what this machine can do"},
                {"et-inspect machine --format json -o phone.json", "Write it for another machine"},
                {"et-inspect machine --import phone.json", "Compare traces with that machine from now on"},
                {"et-inspect machine --refresh", "Measure this machine again"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Measuring");
        options.flag("--refresh", request.refresh, "Measure again");
        options.file("--import", request.import, "Use this measurement of another machine from now on (JSON)")
            .notWith("--refresh");
        options.group("Output");
        options.choice("--format", format, machineFormats, "Output format (default: text)");
        addOutputFile(options, output);
        addProgressOptions(options, progress);
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    MachineRequest request;
    MachineFormat format = MachineFormat::Text;
    OutputOptions output;
    ProgressOptions progress;
};

Result<ExitCode> MachineVerb::run(const Invocation& invocation) {
    const InterruptionGuard guard;
    Watch watch(progress, std::nullopt);
    constexpr std::size_t steps = 100;
    watch.begin("measure", steps);
    std::size_t shown = 0;
    const auto profile = machineProfile(
        request, [&](const std::string& line) { invocation.console.warn(line); },
        [&](double part) {
            for (; static_cast<double>(shown) < part * steps; ++shown) {
                watch.step();
            }
        },
        [] { return InterruptionGuard::requested().load(); });
    watch.finish();
    if (!profile) {
        return std::unexpected(profile.error());
    }
    const std::string text =
        format == MachineFormat::Json ? inspector::profileJson(*profile) : machineText(*profile);
    std::vector<std::filesystem::path> inputs{request.import};
    std::erase(inputs, std::filesystem::path{});
    ET_TRY(deliver(invocation.console, output, producerOf(text), inputs));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeMachineVerb() {
    return std::make_unique<MachineVerb>();
}

}  // namespace et::app
