#include "app/tasks/base/tensor_file.h"

#include "app/tasks/base/output_file.h"
#include "inspector/tensor_files/npy.h"

#include <utility>

namespace et::tasks {

core::Result<> writeTensor(const core::Tensor& tensor, const std::filesystem::path& path,
                           core::FileReplacement::Sync sync) {
    auto npy = inspector::writeNpy(tensor);
    if (!npy) {
        return std::unexpected(std::move(npy).error().in(path.string()));
    }
    return writeFile(path, producerOf({reinterpret_cast<const char*>(npy->data()), npy->size()}), sync);
}

}  // namespace et::tasks
