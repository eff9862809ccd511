#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array testsColumns{
    SessionColumn{"method", Text, "method they run"},
    SessionColumn{"test_case", Integer, "number of the test case"},
    SessionColumn{"inputs", Integer, "number of inputs"},
    SessionColumn{"outputs", Integer, "number of expected outputs"},
};

constexpr std::array testValuesColumns{
    SessionColumn{"method", Text, "`tests.method`"},
    SessionColumn{"test_case", Integer, "`tests.test_case`"},
    SessionColumn{"direction", Text, "`input` or `output`"},
    SessionColumn{"position", Integer, "index, from 0"},
    SessionColumn{"type", Text, "`Tensor`, `Int`, `Bool`, `Double` or `None`"},
    SessionColumn{"dtype", Text, "of a tensor"},
    SessionColumn{"shape", Text, "of a tensor, as JSON"},
    SessionColumn{"bytes", Integer, "of a tensor"},
    SessionColumn{"text", Text, "value, if not a tensor"},
};

constexpr std::array gapColumns{
    SessionColumn{"row", Integer, "position in execution order"},
    SessionColumn{"output", Integer, "index of the operator's output"},
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"instruction", Integer, "`instructions.instruction`"},
    SessionColumn{"place", Text, "`instruction` or `delegate` (an operator inside a delegate)"},
    SessionColumn{"backend", Text, "backend of the delegate, or null"},
    SessionColumn{"runtime_ops", Text, "operators that ran, separated by commas"},
    SessionColumn{"reference_ops", Text, "nodes of the graph, separated by commas"},
    SessionColumn{"module", Text, "innermost Python module containing all of them"},
    SessionColumn{"mse", Real, "mean of the squared differences"},
    SessionColumn{"l1", Real, "sum of the absolute differences"},
    SessionColumn{"snr", Real, "signal to noise ratio, dB; `Inf` for equal values"},
    SessionColumn{"cosine", Real, "cosine similarity"},
    SessionColumn{"max_abs", Real, "largest absolute difference"},
    SessionColumn{"max_rel", Real, "largest relative difference"},
    SessionColumn{"ulp", Real, "largest difference in units in the last place"},
    SessionColumn{"psnr", Real, "peak signal to noise ratio, dB"},
    SessionColumn{
        "own_error", Real,
        "largest error of the operator itself, replayed on the inputs it had; null if not replayed"},
    SessionColumn{"inherited_error", Real, "largest error already present in its inputs"},
    SessionColumn{"diverges", Integer, "1: its own error is beyond what rounding explains"},
    SessionColumn{"reason", Text, "evidence for the divergence"},
    SessionColumn{"difference", Text, "why there are no metrics"},
};

constexpr std::array gapHandlesColumns{
    SessionColumn{"row", Integer, "`gap.row`"},
    SessionColumn{"side", Text, "`runtime` or `reference`"},
    SessionColumn{"debug_handle", Integer, "debug handle"},
};

constexpr std::array testTableList{
    SessionTable{
        .name = "tests", .meaning = "Test cases of the bundled program.", .key = "", .columns = testsColumns},
    SessionTable{.name = "test_values",
                 .meaning = "Inputs and expected outputs of the test cases.",
                 .key = "",
                 .columns = testValuesColumns},
    SessionTable{.name = "gap",
                 .meaning = "Numeric gap between runtime and exported graph, one row per value; needs "
                            "`et-inspect session save --gap`.",
                 .key = "",
                 .columns = gapColumns},
    SessionTable{.name = "gap_handles",
                 .meaning = "Debug handles of the gap's rows.",
                 .key = "",
                 .columns = gapHandlesColumns},
};

}  // namespace

std::span<const SessionTable> testTables() {
    return testTableList;
}

}  // namespace et::inspector::store
