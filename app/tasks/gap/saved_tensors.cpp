#include "app/tasks/gap/saved_tensors.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/tensor_file.h"

#include <fmt/format.h>

#include <string_view>

namespace et::tasks {
namespace {

using core::Result;

constexpr auto sync = core::FileReplacement::Sync::Later;

Result<> saveGap(const inspector::NumericGap& gap, const std::filesystem::path& folder,
                 ProgressReporter& watch) {
    ET_TRY(makeFolder(folder));
    for (std::size_t row = 0; row < gap.rows.size(); ++row) {
        ET_TRY(InterruptionGuard::check());
        const auto& pairs = gap.rows[row].pairs;
        for (std::size_t output = 0; output < pairs.size(); ++output) {
            const std::string stem = fmt::format("{:04}_{}", row, output);
            ET_TRY(
                writeTensor(pairs[output].reference.tensor.view, folder / (stem + "_reference.npy"), sync));
            ET_TRY(writeTensor(pairs[output].runtime.tensor.view, folder / (stem + "_runtime.npy"), sync));
        }
        watch.step();
    }
    return {};
}

}  // namespace

Result<> saveTensors(inspector::Gaps gaps, const std::filesystem::path& folder, ProgressReporter& watch) {
    std::size_t rows = 0;
    for (const auto& gap : gaps) {
        rows += gap->rows.size();
    }
    watch.begin("save", rows);
    for (std::size_t set = 0; set < gaps.size(); ++set) {
        ET_TRY(saveGap(*gaps[set], set == 0 ? folder : folder / fmt::format("inputs_{}", set), watch));
    }
    return {};
}

}  // namespace et::tasks
