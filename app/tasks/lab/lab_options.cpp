#include "app/tasks/base/file_options.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/optimize_settings.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/sensitivity_run.h"
#include "app/tasks/model/model_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using backends::xnnpack::ObserverKind;
using backends::xnnpack::parseScheme;
using backends::xnnpack::schemeName;
using core::Result;

void addRecord(OptionList& options, fs::path& record, std::string_view model) {
    options
        .file("ETRECORD", record,
              fmt::format("ETRecord of a {} model, with its weights, or a package (.ptn)", model))
        .takesFiles({SessionFile::Record})
        .mustBeGiven();
}

Option& addCalibration(OptionList& options, fs::path& calibration, std::string_view purpose,
                       std::string_view remark = {}) {
    return options
        .file("--calibrate FILE", calibration,
              fmt::format("{}: tensors (.npz, .npy, .pt), with one or more calls each, a bundled "
                          "program (.bpte), or a folder of tensor files{}",
                          purpose, remark))
        .takesFiles({SessionFile::Bundle});
}

void addEvaluation(OptionList& options, fs::path& evaluation) {
    options
        .file("--evaluate FILE", evaluation, "Inputs for comparing outputs (default: those of --calibrate)")
        .takesFiles({SessionFile::Bundle});
}

/// Adds --cases and --method.
void addCalls(OptionList& options, std::size_t& cases, std::string& method) {
    options.integer("--cases", cases,
                    fmt::format("Maximum number of calls to run of each (default: {})", cases), 1);
    options.text("--method NAME", method, "Method to quantize (default: the only one, or forward)");
}

/// Adds --observer and --keep.
void addRangeOptions(OptionList& options, ObserverKind& observer, std::vector<std::string>& keep) {
    static constexpr std::array observers{
        Choice{"minmax", ObserverKind::MinMax}, Choice{"moving-average", ObserverKind::MovingAverage},
        Choice{"histogram", ObserverKind::Histogram}, Choice{"percentile", ObserverKind::Percentile},
        Choice{"mse", ObserverKind::SquareError}};
    options.choice("--observer", observer, observers,
                   "Observer that chooses activation ranges (default: histogram)");
    options.text("--keep NAME,...", keep, "Nodes, operators, modules or sites to keep in float");
}

/// Adds -o and --etrecord-out.
void addProgramOutput(OptionList& options, fs::path& output, fs::path& record, std::string help) {
    options.group("Output");
    options.path("-o,--output FILE", output, std::move(help));
    options.path("--etrecord-out FILE", record, "ETRecord to write for that program");
}

void addExcept(OptionList& options, std::vector<std::string>& except) {
    options.text("--except NAME,...", except, "Nodes, operators or modules to exclude from delegates");
}

/// Returns the remedies that a name selects. Errors: InvalidArgument.
Result<std::vector<Remedy>> parseRemedies(std::string_view name) {
    if (name == "all") {
        return std::vector(allRemedies.begin(), allRemedies.end());
    }
    const auto* const found = std::ranges::find(allRemedies, name, remedyName);
    if (found == allRemedies.end()) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            fmt::format("expected equalize, observers, bias or all, got \"{}\"", core::printable(name)));
    }
    return std::vector{*found};
}

void addRemedies(OptionList& options, std::vector<Remedy>& remedies) {
    const auto store = [&remedies](const std::string& name) -> Result<> {
        ET_ASSIGN(const std::vector<Remedy> meant, parseRemedies(name));
        remedies.insert(remedies.end(), meant.begin(), meant.end());
        return {};
    };
    const auto values = [&remedies] {
        std::vector<std::string> names;
        for (const Remedy each : remedies) {
            names.emplace_back(remedyName(each));
        }
        return names;
    };
    options
        .custom("--remedy NAME,...", store, values,
                "Apply remedies that reduce the error on the calibration inputs (w8a8-static): equalize, "
                "observers, bias, or all")
        .repeatable = true;
}

std::string namedSchemeText(const NamedScheme& named) {
    return fmt::format("{}={}", named.name, siteSchemeName(named.scheme));
}

std::string budgetText(const OptimizeBudget& budget) {
    return budget.text;
}

/// Adds --per-op-mode and --config-precisions.
void addPartitionOptions(OptionList& options, backends::xnnpack::PartitionOptions& partition) {
    using backends::xnnpack::Precision;
    static constexpr std::array precisions{Choice{"fp32", Precision::Fp32},
                                           Choice{"static-quant", Precision::StaticQuant},
                                           Choice{"dynamic-quant", Precision::DynamicQuant}};
    options.flag("--per-op-mode", partition.perOperator,
                 "Make a delegate of each operator, with its quantizers (as XnnpackPartitioner's "
                 "per_op_mode)");
    options
        .custom(
            "--config-precisions PRECISION,...", partition.precisions,
            +[](std::string_view text) -> Result<Precision> {
                const auto* const found = std::ranges::find(precisions, text, &Choice<Precision>::name);
                return found != precisions.end()
                           ? Result<Precision>(found->meaning)
                           : core::fail(
                                 core::ErrorCode::InvalidArgument,
                                 fmt::format("expected fp32, static-quant or dynamic-quant, got \"{}\"",
                                             core::printable(text)));
            },
            +[](const Precision& precision) {
                return std::string(
                    std::ranges::find(precisions, precision, &Choice<Precision>::meaning)->name);
            },
            "Delegate only operators of these precisions: fp32, static-quant, dynamic-quant (default: all)")
        .suggests({"fp32", "static-quant", "dynamic-quant"});
}

}  // namespace

void addSensitivityOptions(OptionList& options, SensitivitySettings& settings) {
    options.group("Input");
    addRecord(options, settings.record, "float or a statically quantized");
    addCalibration(options, settings.calibration, "Inputs for choosing ranges",
                   "; only needed for a float ETRecord");
    addEvaluation(options, settings.evaluation);
    options
        .file("--quantized FILE", settings.quantized,
              "Quantized ETRecord of the same model: measure its quantizers")
        .takesFiles({SessionFile::Record});
    addCalls(options, settings.maxCases, settings.method);
    options.group("Quantization");
    addRangeOptions(options, settings.observer, settings.keep);
    options.flag(
        "--remedies", settings.remedies,
        "Also try remedies without training: equalize, better observers, bias correction, more bits");
}

void addOptimizeOptions(OptionList& options, OptimizeSettings& settings) {
    options.group("Input");
    addRecord(options, settings.what.record, "float");
    addCalibration(options, settings.what.calibration, "Inputs for choosing ranges").mustBeGiven();
    addEvaluation(options, settings.what.evaluation);
    addCalls(options, settings.what.maxCases, settings.what.method);
    options.group("Search");
    options.custom(
        "--budget BUDGET", settings.budget, &parseOptimizeBudget, &budgetText,
        "Budget: time=3ms or bytes=1M (least error within it), sqnr=35dB or error=1% (smallest program "
        "that reaches it)");
    addRangeOptions(options, settings.what.observer, settings.what.keep);
    options.custom("--schemes SCHEME,...", settings.schemes, &parseScheme, &schemeName,
                   "Schemes to use besides float; the first is the initial one (default: w8a8-static, "
                   "w8a8-dynamic, w4a8-dynamic:32, fp16, w8)");
    options.offFlag("--keep-delegates", settings.delegatesByTime,
                    "Keep all delegates of the chosen program, even slower ones");
    options.duration(
        "--time", settings.seconds,
        "Use what was found after this time: 90s, 5m, 1h; 0: only the initial schemes (default: 60s)",
        {.least = 0, .most = 86400});
    options.integer("--search-threads", settings.what.threads,
                    "Number of threads that run variants (default: one per CPU core)", 1);
    options.group("Times");
    options.text("--timer COMMAND", settings.command,
                 "Command that runs the program {} and prints milliseconds at the start of its last line");
    options.integer("--threads", settings.timingThreads,
                    "Number of threads of programs timed here (default: 1)", 1);
    options.offFlag("--no-times", settings.times, "Time nothing").notWith("--timer");
    addProgramOutput(options, settings.output, settings.recordOutput, "Program to write (.pte)");
}

void addQuantizeOptions(OptionList& options, QuantizeSettings& settings) {
    options.group("Input");
    addRecord(options, settings.record, "float");
    addCalibration(options, settings.calibration, "Calibration inputs", "; required for w8a8-static");
    options
        .file("--evaluate FILE", settings.evaluation,
              "Run the program on these inputs and compare its outputs with the float graph")
        .takesFiles({SessionFile::Bundle});
    addCalls(options, settings.maxCases, settings.method);
    options.group("Quantization");
    options.custom(
        "--scheme SCHEME", settings.sites.scheme, &parseScheme, &schemeName,
        "w8a8-static (default), w8a8-dynamic (activation scales computed at run time), w8 (weights "
        "only), w4a8-dynamic:BLOCK (4 bits, a scale per BLOCK elements of a row; default 32), fp16 "
        "(half precision)");
    options.custom("--scheme-of NAME=SCHEME,...", settings.sites.named, &parseNamedScheme, &namedSchemeText,
                   "Other scheme, or float, for a site, node, operator or module; the last match applies");
    addRangeOptions(options, settings.observer, settings.sites.keep);
    addRemedies(options, settings.remedies);
    addExcept(options, settings.except);
    addPartitionOptions(options, settings.partition);
    addProgramOutput(options, settings.output, settings.recordOutput, "Program to write (.pte)");
}

void addLowerOptions(OptionList& options, LowerSettings& settings) {
    static constexpr std::array choices{Choice{"xnnpack", LowerBackend::Xnnpack},
                                        Choice{"none", LowerBackend::None}};
    options.group("Input");
    options
        .file("MODEL", settings.record,
              "ETRecord with its weights, package (.ptn), program (.pte) or bundled program (.bpte)")
        .takesFiles({SessionFile::Record, SessionFile::Program, SessionFile::Bundle})
        .mustBeGiven();
    addRecordFile(options, "--etrecord", settings.programRecord,
                  "ETRecord of the program, for modules and Python lines");
    addTensorData(options, settings.data);
    options.file(
        "--constants", settings.constants,
        "Program whose constant methods (get_vocab_size) a lowered ETRecord keeps (default: the program "
        "with its name, next to it)");
    options.group("Partition");
    options.choice("--backend", settings.backend, choices, "Backend to delegate to (default: xnnpack)");
    addExcept(options, settings.except);
    options.text("--only NAME,...", settings.only, "Only nodes, operators or modules to delegate");
    addPartitionOptions(options, settings.partition);
    options.flag("--dynamic-products", settings.dynamicProducts,
                 "Packages: keep 4-bit weights of linear layers that XNNPACK can represent, and quantize the "
                 "operands of these layers to 8 bits in each run (default: weights become float)");
    addProgramOutput(options, settings.output, settings.recordOutput,
                     "Program (.pte) to write, or bundled program (.bpte) if the input is one");
}

}  // namespace et::tasks
