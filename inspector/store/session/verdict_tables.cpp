#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array verdictsColumns{
    SessionColumn{"file", Text, "name of the bundled program"},
    SessionColumn{"method", Text, "`tests.method`"},
    SessionColumn{"test_case", Integer, "`tests.test_case`"},
    SessionColumn{"verdict", Text, "`pass`, `fail` (an output differs from the expected one) or `error`"},
    SessionColumn{"message", Text, "failure in one line; null if it passed"},
};

constexpr std::array verdictOutputsColumns{
    SessionColumn{"method", Text, "`verdicts.method`"},
    SessionColumn{"test_case", Integer, "`verdicts.test_case`"},
    SessionColumn{"output", Integer, "index of the output, from 0"},
    SessionColumn{"type", Text, "type of the actual output: `float32 [2, 3]`, `Int`"},
    SessionColumn{"elements", Integer, "number of elements compared"},
    SessionColumn{"mismatches", Integer, "number of elements out of tolerance"},
    SessionColumn{"rtol", Real, "relative tolerance applied"},
    SessionColumn{"atol", Real, "absolute tolerance applied"},
    SessionColumn{"max_abs", Real, "largest absolute error; null if no pair was finite"},
    SessionColumn{"max_rel", Real, "largest relative error"},
    SessionColumn{"mean_abs", Real, "mean of the absolute errors"},
    SessionColumn{"snr", Real, "signal to noise ratio, dB; null also if both are equal"},
    SessionColumn{"cosine", Real, "cosine similarity"},
    SessionColumn{"ulp", Real, "largest difference in units in the last place"},
    SessionColumn{"worst_index", Text, "index of the worst element, as JSON; null if all are equal"},
    SessionColumn{"worst_expected", Text, "expected value there"},
    SessionColumn{"worst_actual", Text, "actual value there"},
    SessionColumn{"message", Text, "failure in one line; null if it agrees"},
};

constexpr std::array verdictTableList{
    SessionTable{.name = "verdicts",
                 .meaning =
                     "Results of test cases that were run (in et-studio, or by `et-inspect session save "
                     "--verify`).",
                 .key = "",
                 .columns = verdictsColumns,
                 .since = 2},
    SessionTable{.name = "verdict_outputs",
                 .meaning = "Comparison of the outputs of these test cases with the expected ones.",
                 .key = "",
                 .columns = verdictOutputsColumns,
                 .since = 2},
};

}  // namespace

std::span<const SessionTable> verdictTables() {
    return verdictTableList;
}

}  // namespace et::inspector::store
