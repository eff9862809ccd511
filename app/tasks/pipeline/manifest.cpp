#include "app/tasks/pipeline/manifest.h"

#include "app/tasks/pipeline/host_steps.h"
#include "app/tasks/pipeline/manifest_node.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t mostStages = 1000;
constexpr std::size_t deepestLoop = 4;
constexpr std::uint64_t mostIterations = 1'000'000;

/// Reads the tables of a manifest.
class ManifestReader {
  public:
    explicit ManifestReader(const fs::path& path) : folder(path.parent_path()) { made.path = path; }

    Result<Manifest> read(const ManifestNode& root) {
        ET_TRY(root.allow({"name", "programs", "inputs", "stages", "outputs"}));
        ET_ASSIGN(made.name, root.text("name", made.path.stem().string()));
        ET_TRY(root.eachTable("programs", [&](const ManifestNode& node) { return readProgram(node); }));
        ET_TRY(root.eachTable("inputs", [&](const ManifestNode& node) { return readInput(node); }));
        ET_ASSIGN(made.stages, readStages(root, {}, 0));
        if (made.stages.empty()) {
            return root.wrong("stages", "expected at least one stage");
        }
        ET_ASSIGN(made.outputs, root.texts("outputs"));
        for (std::size_t i = 0; i < made.outputs.size(); ++i) {
            ET_TRY(known(made.outputs[i], root, fmt::format("outputs[{}]", i)));
        }
        return std::move(made);
    }

  private:
    Result<> readProgram(const ManifestNode& node);
    Result<> readInput(const ManifestNode& node);
    Result<std::vector<PipelineStage>> readStages(const ManifestNode& parent, const std::string& prefix,
                                                  std::size_t depth);
    Result<PipelineStage> readStage(const ManifestNode& node, const std::string& prefix, std::size_t depth);
    Result<> readCall(const ManifestNode& node, PipelineStage& stage);
    Result<> readStep(const ManifestNode& node, PipelineStage& stage);
    Result<> readLoop(const ManifestNode& node, PipelineStage& stage, std::size_t depth);
    Result<> readParameters(const ManifestNode& node, const HostStep& step, HostParameters& parameters);
    Result<> checkCount(const ManifestNode& node, std::string_view key, std::size_t given, std::size_t least,
                        std::size_t most) const;
    Result<> known(const std::string& value, const ManifestNode& node, std::string_view key) const;
    Result<> knownIn(const std::string& expression, const ManifestNode& node, std::string_view key) const;
    [[nodiscard]] fs::path resolved(const std::string& text) const {
        return text.empty() ? fs::path() : (folder / text).lexically_normal();
    }

    fs::path folder;
    Manifest made;
    std::set<std::string, std::less<>> values{"none"};
    std::size_t stageCount = 0;
};

Result<> ManifestReader::readProgram(const ManifestNode& node) {
    ET_TRY(node.allow({"file", "etrecord", "data"}));
    PipelineProgram program{.name = node.name(), .file = {}, .record = {}, .weights = {}};
    ET_ASSIGN(const std::string file, node.neededText("file"));
    ET_ASSIGN(const std::string record, node.text("etrecord", {}));
    ET_ASSIGN(const std::vector<std::string> data, node.texts("data"));
    program.file = resolved(file);
    program.record = resolved(record);
    for (const std::string& each : data) {
        program.weights.push_back(resolved(each));
    }
    made.programs.push_back(std::move(program));
    return {};
}

Result<> ManifestReader::readInput(const ManifestNode& node) {
    ET_TRY(node.allow({"dtype", "sizes", "file", "data", "fill", "seed"}));
    PipelineInput input{.name = node.name(), .sizes = {}, .file = {}, .numbers = {}, .fill = {}};
    ET_ASSIGN(const auto dtype, node.dtype("dtype"));
    input.dtype = dtype.value_or(input.dtype);
    ET_ASSIGN(input.sizes, node.integers("sizes"));
    ET_ASSIGN(const std::string file, node.text("file", {}));
    ET_ASSIGN(input.numbers, node.numbers("data"));
    ET_ASSIGN(const std::string fill, node.text("fill", {}));
    ET_ASSIGN(input.seed, node.count("seed", 0, UINT32_MAX));
    input.file = resolved(file);
    input.fill = fillOf(fill);
    if (!fill.empty() && !input.fill) {
        return node.wrong("fill",
                          fmt::format("expected random, ones or zeros, got \"{}\"", core::printable(fill)));
    }
    const int sources = (node.has("file") ? 1 : 0) + (node.has("data") ? 1 : 0) + (node.has("fill") ? 1 : 0);
    if (sources != 1) {
        return node.wrong({}, fmt::format("expected one of file, data and fill, got {}", sources));
    }
    if (input.sizes.empty() && !input.numbers.empty()) {
        input.sizes = {static_cast<std::int64_t>(input.numbers.size())};
    }
    values.insert(input.name);
    made.inputs.push_back(std::move(input));
    return {};
}

Result<std::vector<PipelineStage>> ManifestReader::readStages(const ManifestNode& parent,
                                                              const std::string& prefix, std::size_t depth) {
    std::vector<PipelineStage> stages;
    ET_TRY(parent.eachItem("stages", [&](const ManifestNode& node) -> Result<> {
        if (++stageCount > mostStages) {
            return fail(ErrorCode::Limit, fmt::format("expected at most {} stages", mostStages),
                        node.where({}));
        }
        ET_ASSIGN(PipelineStage stage, readStage(node, prefix, depth));
        if (std::ranges::contains(stages, stage.name, &PipelineStage::name)) {
            return node.wrong("name",
                              fmt::format("two stages are named \"{}\"", core::printable(stage.name)));
        }
        stages.push_back(std::move(stage));
        return {};
    }));
    return stages;
}

Result<PipelineStage> ManifestReader::readStage(const ManifestNode& node, const std::string& prefix,
                                                std::size_t depth) {
    PipelineStage stage;
    ET_ASSIGN(stage.name, node.neededText("name"));
    stage.path = prefix + stage.name;
    stage.field = node.path();
    ET_ASSIGN(stage.inputs, node.texts("inputs"));
    ET_ASSIGN(stage.outputs, node.texts("outputs"));
    for (std::size_t i = 0; i < stage.inputs.size(); ++i) {
        ET_TRY(known(stage.inputs[i], node, fmt::format("inputs[{}]", i)));
    }
    const int kinds = (node.has("program") ? 1 : 0) + (node.has("step") ? 1 : 0) +
                      (node.has("repeat") || node.has("until") ? 1 : 0);
    if (kinds != 1) {
        return node.wrong({}, fmt::format("expected one of program, step and repeat, got {}", kinds));
    }
    if (node.has("program")) {
        ET_TRY(readCall(node, stage));
    } else if (node.has("step")) {
        ET_TRY(readStep(node, stage));
    } else {
        ET_TRY(readLoop(node, stage, depth));
    }
    values.insert(stage.outputs.begin(), stage.outputs.end());
    return stage;
}

Result<> ManifestReader::readCall(const ManifestNode& node, PipelineStage& stage) {
    ET_TRY(node.allow({"name", "program", "method", "inputs", "outputs"}));
    ET_ASSIGN(const std::string program, node.neededText("program"));
    ET_ASSIGN(stage.method, node.text("method", {}));
    const auto found = std::ranges::find(made.programs, program, &PipelineProgram::name);
    if (found == made.programs.end()) {
        std::vector<std::string> names;
        std::ranges::transform(made.programs, std::back_inserter(names), &PipelineProgram::name);
        return fail(
            ErrorCode::NotFound,
            fmt::format("no program \"{}\"; available: {}", core::printable(program), fmt::join(names, ", ")),
            node.where("program"));
    }
    stage.program = static_cast<std::size_t>(found - made.programs.begin());
    return {};
}

Result<> ManifestReader::checkCount(const ManifestNode& node, std::string_view key, std::size_t given,
                                    std::size_t least, std::size_t most) const {
    if (given >= least && given <= most) {
        return {};
    }
    return node.wrong(key, least == most ? fmt::format("expected {}, got {}", least, given)
                                         : fmt::format("expected {} to {}, got {}", least, most, given));
}

Result<> ManifestReader::readStep(const ManifestNode& node, PipelineStage& stage) {
    ET_ASSIGN(const std::string name, node.neededText("step"));
    stage.step = findHostStep(name);
    if (stage.step == nullptr) {
        std::vector<std::string_view> names;
        std::ranges::transform(hostSteps(), std::back_inserter(names), &HostStep::name);
        return fail(
            ErrorCode::NotFound,
            fmt::format("no step \"{}\"; available: {}", core::printable(name), fmt::join(names, ", ")),
            node.where("step"));
    }
    std::vector<std::string_view> allowed{"name", "step", "inputs", "outputs"};
    allowed.insert(allowed.end(), stage.step->keys.begin(), stage.step->keys.end());
    ET_TRY(node.allow(allowed));
    for (const std::string_view key : stage.step->needed) {
        if (!node.has(key)) {
            return node.wrong(key, fmt::format("expected a value for the step {}", name));
        }
    }
    ET_TRY(checkCount(node, "inputs", stage.inputs.size(), stage.step->leastInputs, stage.step->mostInputs));
    ET_TRY(checkCount(node, "outputs", stage.outputs.size(), 1, stage.step->outputs));
    return readParameters(node, *stage.step, stage.parameters);
}

Result<> ManifestReader::readParameters(const ManifestNode& node, const HostStep& step,
                                        HostParameters& parameters) {
    ET_ASSIGN(parameters.expression, node.text("expression", {}));
    if (!parameters.expression.empty()) {
        ET_TRY(knownIn(parameters.expression, node, "expression"));
    }
    ET_ASSIGN(parameters.dtype, node.dtype("dtype"));
    ET_ASSIGN(parameters.sizes, node.integers("sizes"));
    const auto integer = [&](std::string_view key, auto& target) -> Result<> {
        if (node.has(key)) {
            ET_ASSIGN(target, node.integer(key));
        }
        return {};
    };
    ET_TRY(integer("dim", parameters.dim));
    ET_TRY(integer("start", parameters.start));
    ET_TRY(integer("length", parameters.length));
    ET_TRY(integer("rate", parameters.rate));
    ET_TRY(integer("bands", parameters.bands));
    ET_TRY(integer("frames", parameters.frames));
    ET_ASSIGN(parameters.temperature, node.number("temperature", step.name == "sample" ? 1 : 0));
    ET_ASSIGN(parameters.topP, node.number("top_p", 1));
    ET_ASSIGN(parameters.seed, node.count("seed", 0, UINT32_MAX));
    if (parameters.length && *parameters.length < 0) {
        return node.wrong("length", fmt::format("expected at least 0, got {}", *parameters.length));
    }
    return {};
}

Result<> ManifestReader::readLoop(const ManifestNode& node, PipelineStage& stage, std::size_t depth) {
    ET_TRY(node.allow({"name", "repeat", "until", "counter", "stages"}));
    if (depth >= deepestLoop) {
        return fail(ErrorCode::Limit, fmt::format("expected at most {} nested loops", deepestLoop),
                    node.where({}));
    }
    constexpr std::uint64_t usualMost = 10'000;
    PipelineLoop loop;
    ET_ASSIGN(loop.most, node.count("repeat", usualMost, mostIterations));
    if (loop.most == 0) {  // stages after the loop read its values
        return node.wrong("repeat", "expected at least 1, got 0");
    }
    ET_ASSIGN(loop.until, node.text("until", {}));
    ET_ASSIGN(loop.counter, node.text("counter", {}));
    if (!loop.counter.empty()) {
        values.insert(loop.counter);
    }
    ET_ASSIGN(stage.stages, readStages(node, stage.path + "/", depth + 1));
    if (stage.stages.empty()) {
        return node.wrong("stages", "expected at least one stage");
    }
    if (!loop.until.empty()) {
        ET_TRY(knownIn(loop.until, node, "until"));
    }
    stage.loop = std::move(loop);
    return {};
}

Result<> ManifestReader::known(const std::string& value, const ManifestNode& node,
                               std::string_view key) const {
    if (values.contains(value)) {
        return {};
    }
    const std::vector<std::string> names(values.begin(), values.end());
    return fail(ErrorCode::NotFound,
                fmt::format("no value \"{}\" at this stage; available: {}", core::printable(value),
                            fmt::join(names, ", ")),
                node.where(key));
}

Result<> ManifestReader::knownIn(const std::string& expression, const ManifestNode& node,
                                 std::string_view key) const {
    const auto names = namesIn(expression);
    if (!names) {
        return node.wrong(key, names.error().message);
    }
    for (const std::string& each : *names) {
        ET_TRY(known(each, node, key));
    }
    return {};
}

void collectStages(const std::vector<PipelineStage>& stages, std::vector<const PipelineStage*>& into) {
    for (const PipelineStage& stage : stages) {
        into.push_back(&stage);
        collectStages(stage.stages, into);
    }
}

}  // namespace

std::vector<const PipelineStage*> Manifest::allStages() const {
    std::vector<const PipelineStage*> all;
    collectStages(stages, all);
    return all;
}

Result<Manifest> parseManifest(std::string_view text, const fs::path& path) {
    ET_ASSIGN(const ManifestNode root, ManifestNode::parse(text, path.string()));
    return ManifestReader(path).read(root);
}

Result<Manifest> readManifest(const fs::path& path) {
    constexpr std::uint64_t mostBytes = std::uint64_t{4} << 20U;
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    const core::Bytes bytes = file->bytes();
    if (bytes.size() > mostBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("expected a manifest of at most 4 MiB, got {} bytes", bytes.size()),
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    return parseManifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

}  // namespace et::tasks
