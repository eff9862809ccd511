#include "app/cli/commands/commands.h"
#include "app/cli/options/model_options.h"
#include "app/cli/output_options.h"
#include "app/pages/lab/lower_info.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/sandbox/sandbox.h"
#include "inspector/format/json_text.h"

#include <array>
#include <memory>
#include <string>

namespace et::app {
namespace {

using core::Result;

enum class LowerFormat : std::uint8_t { Text, Json };

constexpr std::array lowerFormats{Choice{"text", LowerFormat::Text}, Choice{"json", LowerFormat::Json}};
constexpr std::array lowerBackends{Choice{"xnnpack", LowerBackend::Xnnpack},
                                   Choice{"none", LowerBackend::None}};
constexpr std::int64_t lowerSchema = 1;

/// Builds a program from an ETRecord: from the exporter's graph before lowering.
class LowerVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "lower"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Make a program of an ETRecord or of a program, with what XNNPACK computes in delegates";
    }
    [[nodiscard]] std::string details() const override {
        return "An ETRecord must hold the weights; a program is lowered by its instructions, and what it has "
               "of "
               "delegates, control flow and state stays. Every method is lowered; what stays out of the "
               "delegates is listed node by node with the rule that keeps it out and the line of Python that "
               "it comes from (of a program: where --etrecord tells). --except and --only take names of "
               "nodes "
               "(of a program: instruction_12), operators (aten.add.Tensor) and modules (layers.0), which "
               "stand for all below them.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {{"et-inspect lower model.etrecord -o model.pte", "Delegate to XNNPACK all that it computes"},
                {"et-inspect lower model.etrecord --dry-run", "Show what would stay out, and why"},
                {"et-inspect lower model.etrecord -o model.pte --etrecord-out lowered.etrecord --except "
                 "layers.0",
                 "Leave a module to kernels, and write the ETRecord of the new program"},
                {"et-inspect lower portable.pte -o model.pte --etrecord portable.etrecord",
                 "Delegate what XNNPACK computes of the instructions of a program"},
                {"et-inspect lower model.etrecord -o portable.pte --backend none", "Delegate nothing"}};
    }
    void addOptions(OptionList& options) override {
        options.group("Input");
        options
            .file("MODEL", settings.record,
                  "ETRecord with its weights, program (.pte) or bundled program (.bpte)")
            .mustBeGiven();
        options.file("--etrecord", settings.programRecord,
                     "ETRecord of the program: names modules and lines of Python");
        addTensorData(options, settings.data);
        options.group("Partition");
        options.choice("--backend", settings.backend, lowerBackends,
                       "Who takes what it computes (default: xnnpack)");
        options.text("--except", settings.except, "Nodes, operators or modules to leave out of delegates")
            .takes("NAME,...")
            .separatedByCommas();
        options.text("--only", settings.only, "Nodes, operators or modules that may go into delegates")
            .takes("NAME,...")
            .separatedByCommas();
        options.group("Output");
        options
            .path("-o,--output", settings.output,
                  "Program to write (.pte), or bundled program (.bpte) of one")
            .takes(fileValue);
        options.path("--etrecord-out", settings.recordOutput, "ETRecord to write for that program")
            .takes(fileValue);
        options.flag("--dry-run", dryRun, "Write nothing");
        options.choice("--format", format, lowerFormats, "Output format (default: text)");
    }
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    LowerSettings settings;
    bool dryRun = false;
    LowerFormat format = LowerFormat::Text;
};

Result<ExitCode> LowerVerb::run(const Invocation& invocation) {
    if (dryRun) {
        settings.output.clear();
        settings.recordOutput.clear();
    } else if (settings.output.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "-o is missing: name the program to write, or give --dry-run");
    }
    ET_TRY(confineOrWarn(invocation.console, SandboxMode::Auto,
                         {.files = {settings.output, settings.recordOutput}, .folders = {}}));
    ET_ASSIGN(const LowerResult result, lower(settings));
    const std::string text = format == LowerFormat::Json
                                 ? inspector::report::jsonDocument(lowerSchema, lowerInfo(result))
                                 : lowerText(result);
    ET_TRY(invocation.console.out(text));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeLowerVerb() {
    return std::make_unique<LowerVerb>();
}

}  // namespace et::app
