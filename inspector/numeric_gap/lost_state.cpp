#include "inspector/numeric_gap/lost_state.h"

#include "inspector/numeric_gap/gap_rows.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceValue;
using core::Result;

Result<ReferenceTensor> zerosLike(const core::Tensor& tensor) {
    ET_ASSIGN(ReferenceTensor zeros, rowMajorCopy(tensor));
    std::ranges::fill(zeros.view.rawBytes(), std::byte{0});
    return zeros;
}

}  // namespace

Result<> setState(Interpreter& interpreter, std::span<const LostFirstValues> lost,
                  std::span<const BufferValue> given) {
    for (const LostFirstValues& each : lost) {
        // The interpreter may keep the buffer in another dtype than the record.
        const std::array wanted{each.input};
        ET_ASSIGN(const Interpreter::Values kept, interpreter.evaluate(wanted, {}));
        if (const ReferenceTensor* tensor = tensorIn(kept, each.input)) {
            ET_ASSIGN(ReferenceTensor zeros, zerosLike(tensor->view));
            ET_TRY(interpreter.setBuffer(each.input, ReferenceValue{std::move(zeros)}));
        }
    }
    for (const BufferValue& each : given) {
        ET_TRY(interpreter.setBuffer(each.input, each.value));
    }
    return {};
}

Result<GapRow> rowOf(const LostFirstValues& lost, bool hasOwnError) {
    ET_ASSIGN(ReferenceTensor zeros, zerosLike(lost.recorded.view));
    GapRow row;
    row.referenceOps = {lost.input};
    row.runtimeOps = {"first values"};
    row.graph = GapGraph::Edge;
    row.edgeNodes = {lost.input};
    row.pairs = pairsOf(ReferenceValue{lost.recorded}, ReferenceValue{std::move(zeros)});
    if (hasOwnError) {
        OwnError error;
        const auto largest =
            row.pairs.empty() ? std::nullopt : row.pairs.front().numbers[GapMetric::MaxAbsolute];
        error.own = largest.value_or(0);
        error.total = error.own;
        error.diverges = true;
        error.reason = fmt::format(
            "the program has no first values for buffer \"{}\": its memory starts at zero, the values in the "
            "ETRecord are not zero. {}",
            core::printable(lost.buffer), remedyForFirstValues());
        row.own = std::move(error);
    }
    return row;
}

}  // namespace et::inspector
