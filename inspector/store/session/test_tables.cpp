#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array testsColumns{
    SessionColumn{"method", Text, "method that they run"},
    SessionColumn{"test_case", Integer, "number of the case"},
    SessionColumn{"inputs", Integer, "number of inputs"},
    SessionColumn{"outputs", Integer, "number of outputs to expect"},
};

constexpr std::array testValuesColumns{
    SessionColumn{"method", Text, "`tests.method`"},
    SessionColumn{"test_case", Integer, "`tests.test_case`"},
    SessionColumn{"direction", Text, "`input` or `output`"},
    SessionColumn{"position", Integer, "place, from 0"},
    SessionColumn{"type", Text, "`Tensor`, `Int`, `Bool`, `Double` or `None`"},
    SessionColumn{"dtype", Text, "of a tensor"},
    SessionColumn{"shape", Text, "of a tensor, as JSON"},
    SessionColumn{"bytes", Integer, "of a tensor"},
    SessionColumn{"text", Text, "the value of what is no tensor"},
};

constexpr std::array gapColumns{
    SessionColumn{"row", Integer, "position in execution order"},
    SessionColumn{"output", Integer, "which output of the operator"},
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"instruction", Integer, "`instructions.instruction`"},
    SessionColumn{"place", Text, "`instruction` or `delegate` (an operator inside of one)"},
    SessionColumn{"backend", Text, "of the delegate; null: none"},
    SessionColumn{"runtime_ops", Text, "what ran, separated by commas"},
    SessionColumn{"reference_ops", Text, "nodes of the graph, separated by commas"},
    SessionColumn{"module", Text, "Python module that has all of them"},
    SessionColumn{"mse", Real, "mean of the squared differences"},
    SessionColumn{"l1", Real, "sum of the absolute differences"},
    SessionColumn{"snr", Real, "signal to noise ratio, dB; `Inf` for equal values"},
    SessionColumn{"cosine", Real, "cosine of the angle between both"},
    SessionColumn{"max_abs", Real, "largest absolute difference"},
    SessionColumn{"max_rel", Real, "largest relative difference"},
    SessionColumn{"ulp", Real, "most numbers of the dtype between the two"},
    SessionColumn{"psnr", Real, "peak signal to noise ratio, dB"},
    SessionColumn{
        "own_error", Real,
        "most that the operator itself is off, by a replay on the inputs that it had; null: not asked"},
    SessionColumn{"inherited_error", Real, "most that it was off before"},
    SessionColumn{"diverges", Integer, "1: by its own error, beyond what rounding explains"},
    SessionColumn{"reason", Text, "what gave it away"},
    SessionColumn{"difference", Text, "why there are no numbers"},
};

constexpr std::array gapHandlesColumns{
    SessionColumn{"row", Integer, "`gap.row`"},
    SessionColumn{"side", Text, "`runtime` or `reference`"},
    SessionColumn{"debug_handle", Integer, "the handle"},
};

constexpr std::array testTableList{
    SessionTable{
        .name = "tests", .meaning = "The cases of the bundled program.", .key = "", .columns = testsColumns},
    SessionTable{.name = "test_values",
                 .meaning = "Inputs and expected outputs of the cases.",
                 .key = "",
                 .columns = testValuesColumns},
    SessionTable{.name = "gap",
                 .meaning = "How far operators are from the exported graph, where that was calculated "
                            "(`et-inspect session save --gap`), one row a value.",
                 .key = "",
                 .columns = gapColumns},
    SessionTable{.name = "gap_handles",
                 .meaning = "The debug handles of rows of the gap.",
                 .key = "",
                 .columns = gapHandlesColumns},
};

}  // namespace

std::span<const SessionTable> testTables() {
    return testTableList;
}

}  // namespace et::inspector::store
