#include "app/tasks/pipeline/pipeline_compare.h"

#include "app/tasks/pipeline/host_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;

/// A variant after its run.
struct Variant {
    Manifest manifest;
    RecordedCalls calls;
};

Result<std::unique_ptr<Variant>> runVariant(const std::filesystem::path& path,
                                            const PipelineSettings& settings) {
    const std::uint64_t maxBytes = maxBytesOf(settings.model);
    ET_ASSIGN(Manifest manifest, readManifest(path));
    auto variant = std::make_unique<Variant>(std::move(manifest), RecordedCalls(maxBytes));
    ET_ASSIGN(const PipelineValues inputs, pipelineInputs(variant->manifest, settings.inputs, maxBytes));
    ET_ASSIGN(const auto programs, PipelinePrograms::load(variant->manifest, settings.model));
    ET_TRY(walkPipeline(variant->manifest, inputs, *programs, maxBytes,
                        [&](const StageCall& call) { return variant->calls.add(call); }));
    return variant;
}

/// Finds why a call of the second variant differs from that of the first.
class Causes {
  public:
    Causes(const Variant& first, const RecordedCall& right, const Variant& second, const RecordedCall& wrong)
        : before(first), expected(right), after(second), actual(wrong) {}

    [[nodiscard]] std::vector<std::string> find() {
        findInDefinition();
        if (expected.inputs.size() == actual.inputs.size()) {
            if (!findSwapped()) {
                for (std::size_t i = 0; i < expected.inputs.size(); ++i) {
                    findInInput(i);
                }
            }
        } else {
            found.push_back(
                fmt::format("{} inputs instead of {}", actual.inputs.size(), expected.inputs.size()));
        }
        return std::move(found);
    }

  private:
    [[nodiscard]] std::string input(std::size_t i) const {
        return fmt::format("input {} ({})", i, core::printable(expected.stage->inputs[i]));
    }

    void findInDefinition() {
        const auto differ = [&](std::string_view what, const std::string& left, const std::string& right) {
            if (left != right) {
                found.push_back(fmt::format("{} \"{}\" instead of \"{}\"", what, core::printable(right),
                                            core::printable(left)));
            }
        };
        const auto kind = [](const PipelineStage& stage) {
            return std::string(stage.step == nullptr ? "a program" : stage.step->name);
        };
        differ("step", kind(*expected.stage), kind(*actual.stage));
        if (expected.stage->program && actual.stage->program) {
            const PipelineProgram& left = before.manifest.programs[*expected.stage->program];
            const PipelineProgram& right = after.manifest.programs[*actual.stage->program];
            differ("program", left.name, right.name);
            differ("file", left.file.filename().string(), right.file.filename().string());
            differ("method", expected.stage->method, actual.stage->method);
        }
        differ("expression", expected.stage->parameters.expression, actual.stage->parameters.expression);
    }

    [[nodiscard]] static bool same(const ReferenceTensor& left, const ReferenceTensor& right) {
        return !differenceOf(left, right).exceeds(0);
    }

    bool findSwapped() {
        for (std::size_t i = 0; i < expected.inputs.size(); ++i) {
            for (std::size_t j = i + 1; j < expected.inputs.size(); ++j) {
                if (!same(expected.inputs[i], expected.inputs[j]) &&
                    same(expected.inputs[i], actual.inputs[j]) &&
                    same(expected.inputs[j], actual.inputs[i])) {
                    found.push_back(fmt::format("{} and {} are swapped", input(i), input(j)));
                    return true;
                }
            }
        }
        return false;
    }

    void findInInput(std::size_t i) {
        const TensorDifference difference = differenceOf(actual.inputs[i], expected.inputs[i]);
        if (!difference.exceeds(0)) {
            return;
        }
        if (!difference.isComparable) {
            found.push_back(fmt::format("{} is {}", input(i), difference.types));
            return;
        }
        const RecordedCall* const last = after.calls.before(actual);
        const RecordedCall* const rightLast = before.calls.before(expected);
        if (last != nullptr && rightLast != nullptr && same(last->inputs[i], actual.inputs[i]) &&
            !same(rightLast->inputs[i], expected.inputs[i])) {
            found.push_back(fmt::format("{} is stale: it still has the value of iteration {}", input(i),
                                        last->iteration));
            return;
        }
        for (const RecordedCall* const other : {rightLast, before.calls.after(expected)}) {
            if (other != nullptr && same(other->inputs[i], actual.inputs[i])) {
                found.push_back(fmt::format("{} is off by one: it has the value of iteration {}", input(i),
                                            other->iteration));
                return;
            }
        }
        found.push_back(fmt::format("{} differs: {} of {} elements", input(i), difference.differing,
                                    difference.elements));
    }

    const Variant& before;
    const RecordedCall& expected;
    const Variant& after;
    const RecordedCall& actual;
    std::vector<std::string> found;
};

/// The first output of a call that differs, if any.
std::optional<std::size_t> differingOutput(const RecordedCall& expected, const RecordedCall& actual,
                                           double tolerance) {
    for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
        if (i >= actual.outputs.size() ||
            differenceOf(actual.outputs[i], expected.outputs[i]).exceeds(tolerance)) {
            return i;
        }
    }
    return {};
}

/// Types of the inputs that differ, or their number.
bool haveOtherInputTypes(const RecordedCall& expected, const RecordedCall& actual) {
    if (expected.inputs.size() != actual.inputs.size()) {
        return true;
    }
    for (std::size_t i = 0; i < expected.inputs.size(); ++i) {
        if (!differenceOf(actual.inputs[i], expected.inputs[i]).isComparable) {
            return true;
        }
    }
    return false;
}

class Comparison {
  public:
    Comparison(const Variant& first, const Variant& second, double limit)
        : before(first), after(second), tolerance(limit) {}

    PipelineComparison run() {
        for (const RecordedCall& call : before.calls.all()) {
            compare(call);
        }
        for (const RecordedCall& call : after.calls.all()) {
            if (!made.first && before.calls.find(call.stage->path, call.iteration) == nullptr) {
                made.first = VariantDifference{.stage = call.stage->path,
                                               .iteration = call.iteration,
                                               .causes = {"the call exists only in the second variant"},
                                               .output = {},
                                               .difference = {}};
            }
        }
        return std::move(made);
    }

  private:
    VariantRow& rowOf(const std::string& stage) {
        const auto found = std::ranges::find(made.stages, stage, &VariantRow::stage);
        return found != made.stages.end() ? *found : made.stages.emplace_back(stage);
    }

    void compare(const RecordedCall& expected) {
        VariantRow& row = rowOf(expected.stage->path);
        ++row.calls;
        const RecordedCall* const actual = after.calls.find(expected.stage->path, expected.iteration);
        if (actual == nullptr) {
            ++row.differing;
            note({.stage = expected.stage->path,
                  .iteration = expected.iteration,
                  .causes = {"the call is missing in the second variant"},
                  .output = {},
                  .difference = {}});
            return;
        }
        for (std::size_t i = 0; i < std::min(expected.outputs.size(), actual->outputs.size()); ++i) {
            row.relative =
                std::max(row.relative, differenceOf(actual->outputs[i], expected.outputs[i]).relative);
        }
        const auto output = differingOutput(expected, *actual, tolerance);
        if (!output && !haveOtherInputTypes(expected, *actual)) {
            return;
        }
        ++row.differing;
        if (made.first) {
            return;
        }
        VariantDifference difference{.stage = expected.stage->path,
                                     .iteration = expected.iteration,
                                     .causes = Causes(before, expected, after, *actual).find(),
                                     .output = {},
                                     .difference = {}};
        if (output && *output < actual->outputs.size()) {
            difference.output = expected.stage->outputs[*output];
            difference.difference = differenceOf(actual->outputs[*output], expected.outputs[*output]);
        }
        note(std::move(difference));
    }

    void note(VariantDifference difference) {
        if (!made.first) {
            made.first = std::move(difference);
        }
    }

    const Variant& before;
    const Variant& after;
    double tolerance;
    PipelineComparison made;
};

}  // namespace

Result<PipelineComparison> comparePipelines(const PipelineSettings& settings,
                                            const std::filesystem::path& after, double tolerance,
                                            ProgressReporter& watch) {
    constexpr std::size_t variants = 2;
    watch.begin("verify", variants);
    ET_ASSIGN(const auto first, runVariant(settings.manifest, settings));
    watch.step();
    ET_ASSIGN(const auto second, runVariant(after, settings));
    watch.step();
    PipelineComparison made = Comparison(*first, *second, tolerance).run();
    made.before = settings.manifest.string();
    made.after = after.string();
    made.tolerance = tolerance;
    return made;
}

}  // namespace et::tasks
