#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array verdictsColumns{
    SessionColumn{"file", Text, "name of the bundled program"},
    SessionColumn{"method", Text, "`tests.method`"},
    SessionColumn{"test_case", Integer, "`tests.test_case`"},
    SessionColumn{"verdict", Text, "`pass`, `fail` (an output is not the one to expect) or `error`"},
    SessionColumn{"message", Text, "what is wrong, one line; null: it passed"},
};

constexpr std::array verdictOutputsColumns{
    SessionColumn{"method", Text, "`verdicts.method`"},
    SessionColumn{"test_case", Integer, "`verdicts.test_case`"},
    SessionColumn{"output", Integer, "which output, from 0"},
    SessionColumn{"type", Text, "what the run gave: `float32 [2, 3]`, `Int`"},
    SessionColumn{"elements", Integer, "elements that were compared"},
    SessionColumn{"mismatches", Integer, "elements that are out of tolerance"},
    SessionColumn{"rtol", Real, "relative tolerance that was applied"},
    SessionColumn{"atol", Real, "absolute tolerance that was applied"},
    SessionColumn{"max_abs", Real, "largest absolute error; null: no pair of finite numbers"},
    SessionColumn{"max_rel", Real, "largest relative error"},
    SessionColumn{"mean_abs", Real, "mean of the absolute errors"},
    SessionColumn{"snr", Real, "signal to noise ratio, dB; null also where both are equal"},
    SessionColumn{"cosine", Real, "cosine of the angle between both"},
    SessionColumn{"ulp", Real, "most numbers of the dtype between the two"},
    SessionColumn{"worst_index", Text, "coordinate of the worst element, as JSON; null: all are equal"},
    SessionColumn{"worst_expected", Text, "the number there that was to expect"},
    SessionColumn{"worst_actual", Text, "the number there that the run gave"},
    SessionColumn{"message", Text, "what is wrong, one line; null: it agrees"},
};

constexpr std::array verdictTableList{
    SessionTable{.name = "verdicts",
                 .meaning =
                     "What became of the cases that had run when the session was saved (in the studio, "
                     "or `et-inspect session save --verify`).",
                 .key = "",
                 .columns = verdictsColumns,
                 .since = 2},
    SessionTable{.name = "verdict_outputs",
                 .meaning = "How the outputs of these cases compare with those to expect.",
                 .key = "",
                 .columns = verdictOutputsColumns,
                 .since = 2},
};

}  // namespace

std::span<const SessionTable> verdictTables() {
    return verdictTableList;
}

}  // namespace et::inspector::store
