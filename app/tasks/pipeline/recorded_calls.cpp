#include "app/tasks/pipeline/recorded_calls.h"

#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace et::tasks {
namespace {

bool isWhole(core::ScalarType dtype) {
    const core::ScalarKind kind = core::scalarKind(dtype);
    return kind == core::ScalarKind::Bool || kind == core::ScalarKind::Signed ||
           kind == core::ScalarKind::Unsigned;
}

}  // namespace

core::Result<> RecordedCalls::add(const StageCall& call) {
    RecordedCall kept{.stage = &call.stage,
                      .iteration = iterationText(call.iterations),
                      .inputs = {call.inputs.begin(), call.inputs.end()},
                      .outputs = {call.outputs.begin(), call.outputs.end()}};
    kept.outputs.resize(std::min(kept.outputs.size(), call.stage.outputs.size()));
    for (const ReferenceTensor& each : kept.outputs) {
        bytes += each.view.bytes();  // inputs are outputs of earlier calls
    }
    if (bytes > maxBytes) {
        return core::fail(
            core::ErrorCode::Limit,
            fmt::format("expected values of at most {} bytes in all stages, got more (--max-memory)",
                        maxBytes));
    }
    calls.push_back(std::move(kept));
    return {};
}

const RecordedCall* RecordedCalls::find(std::string_view path, std::string_view iteration) const {
    const auto found = std::ranges::find_if(calls, [&](const RecordedCall& call) {
        return call.stage->path == path && call.iteration == iteration;
    });
    return found == calls.end() ? nullptr : &*found;
}

const RecordedCall* RecordedCalls::firstOf(const PipelineStage& stage) const {
    const auto found = std::ranges::find(calls, &stage, &RecordedCall::stage);
    return found == calls.end() ? nullptr : &*found;
}

const RecordedCall* RecordedCalls::before(const RecordedCall& call) const {
    for (const RecordedCall* each = &call; each != calls.data();) {
        if ((--each)->stage == call.stage) {
            return each;
        }
    }
    return nullptr;
}

const RecordedCall* RecordedCalls::after(const RecordedCall& call) const {
    for (const RecordedCall* each = &call + 1; each != calls.data() + calls.size(); ++each) {
        if (each->stage == call.stage) {
            return each;
        }
    }
    return nullptr;
}

bool TensorDifference::exceeds(double tolerance) const {
    if (!isComparable) {
        return true;
    }
    return isInteger || tolerance == 0 ? differing > 0 : !(relative <= tolerance);
}

TensorDifference differenceOf(const ReferenceTensor& given, const ReferenceTensor& expected) {
    TensorDifference made;
    if (given.owner == nullptr || expected.owner == nullptr) {
        made.isComparable = given.owner == expected.owner;
        made.types = given.owner == nullptr ? "none instead of a tensor" : "a tensor instead of none";
        return made;
    }
    if (given.view.dtype() != expected.view.dtype() || !inspector::sameSizes(given.view, expected.view)) {
        made.isComparable = false;
        made.types =
            fmt::format("{} instead of {}", core::describe(given.view), core::describe(expected.view));
        return made;
    }
    const auto left = inspector::numbersOf(given.view);
    const auto right = inspector::numbersOf(expected.view);
    made.isInteger = isWhole(given.view.dtype());
    made.elements = static_cast<std::size_t>(given.view.numel());
    if (!left || !right) {
        made.isInteger = true;  // compared as bytes
        made.differing =
            std::ranges::equal(given.view.rawBytes(), expected.view.rawBytes()) ? 0 : made.elements;
        return made;
    }
    double noise = 0;
    double power = 0;
    for (std::size_t i = 0; i < left->size(); ++i) {
        const double a = (*left)[i];
        const double b = (*right)[i];
        if (a == b || (std::isnan(a) && std::isnan(b))) {
            power += std::isfinite(b) ? b * b : 0;
            continue;
        }
        ++made.differing;
        const double error = std::isfinite(a - b) ? a - b : std::numeric_limits<double>::infinity();
        made.largest = std::max(made.largest, std::abs(error));
        noise += error * error;
        power += std::isfinite(b) ? b * b : 0;
    }
    made.relative = noise == 0 ? 0 : std::sqrt(noise / std::max(power, std::numeric_limits<double>::min()));
    return made;
}

bool areClose(const std::vector<ReferenceTensor>& given, const std::vector<ReferenceTensor>& expected,
              double tolerance) {
    if (given.size() > expected.size()) {
        return false;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (differenceOf(given[i], expected[i]).exceeds(tolerance)) {
            return false;
        }
    }
    return true;
}

}  // namespace et::tasks
