#include "app/tasks/gap/saved_tensors.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/tensor_file.h"

#include <fmt/format.h>

#include <string_view>

namespace et::tasks {
namespace {

using core::Result;

Result<> saveGap(const inspector::NumericGap& gap, const std::filesystem::path& folder) {
    ET_TRY(makeFolder(folder));
    for (std::size_t row = 0; row < gap.rows.size(); ++row) {
        const auto& pairs = gap.rows[row].pairs;
        for (std::size_t output = 0; output < pairs.size(); ++output) {
            const std::string stem = fmt::format("{:04}_{}", row, output);
            ET_TRY(writeTensor(pairs[output].reference.tensor.view, folder / (stem + "_reference.npy")));
            ET_TRY(writeTensor(pairs[output].runtime.tensor.view, folder / (stem + "_runtime.npy")));
        }
    }
    return {};
}

}  // namespace

Result<> saveTensors(inspector::Gaps gaps, const std::filesystem::path& folder) {
    for (std::size_t set = 0; set < gaps.size(); ++set) {
        ET_TRY(saveGap(*gaps[set], set == 0 ? folder : folder / fmt::format("inputs_{}", set)));
    }
    return {};
}

}  // namespace et::tasks
