#include "app/tasks/tensors/save_tensors.h"

#include "app/tasks/base/output_file.h"
#include "inspector/tensor_files/npy.h"
#include "inspector/tensor_files/tensor_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace et::tasks {

using core::Result;

namespace {

constexpr std::size_t longestName = 120;

}  // namespace

std::string makeFileName(std::string_view tensor) {
    std::string name(tensor.substr(0, longestName));
    std::ranges::replace_if(
        name,
        [](unsigned char each) {
            return std::isalnum(each) == 0 && each != '.' && each != '-' && each != '_';
        },
        '_');
    // Avoids hidden files and the parent folder.
    return name.empty() || name.front() == '.' ? "_" + name : name;
}

Result<> saveTensor(const inspector::TensorCatalog& catalog, std::size_t tensor, inspector::TensorForm form,
                    const std::filesystem::path& file) {
    ET_ASSIGN(const inspector::HostTensor read, catalog.read(tensor, form));
    ET_ASSIGN(const core::Tensor view, inspector::viewOf(read));
    ET_ASSIGN(const std::vector<std::byte> npy, inspector::writeNpy(view));
    return writeFile(file, producerOf({reinterpret_cast<const char*>(npy.data()), npy.size()}));
}

Result<std::vector<SavedTensor>> saveTensors(const inspector::TensorCatalog& catalog,
                                             std::span<const std::size_t> which, inspector::TensorForm form,
                                             const std::filesystem::path& folder) {
    ET_TRY(makeFolder(folder));
    std::vector<SavedTensor> saved;
    std::map<std::string, std::size_t> used;
    for (const std::size_t tensor : which) {
        std::string name = makeFileName(catalog.tensors()[tensor].name);
        for (std::size_t number = ++used[name]; number > 1; number = ++used[name]) {
            name = fmt::format("{}_{}", name, number);
        }
        name += ".npy";
        const auto written = saveTensor(catalog, tensor, form, folder / name);
        if (!written && written.error().code == core::ErrorCode::Io) {
            return std::unexpected(written.error());
        }
        saved.push_back(written ? SavedTensor{.file = std::move(name)}
                                : SavedTensor{.problem = written.error().message});
    }
    return saved;
}

}  // namespace et::tasks
