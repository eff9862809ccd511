#include "app/tasks/run/output_folder.h"

#include "app/tasks/base/output_file.h"
#include "inspector/tensor_files/npy.h"

#include <fmt/format.h>

#include <string>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

Result<> writeTensor(const core::Tensor& tensor, const fs::path& path) {
    auto file = inspector::writeNpy(tensor);
    if (!file) {
        return std::unexpected(std::move(file).error().in(path.string()));
    }
    return writeFile(path, producerOf({reinterpret_cast<const char*>(file->data()), file->size()}));
}

Result<> writeOutput(core::Value& value, const fs::path& folder, const std::string& name) {
    if (const auto* tensor = value.as<core::Tensor>()) {
        return writeTensor(*tensor, folder / (name + ".npy"));
    }
    if (const auto tensors = value.tensors(true)) {
        for (std::size_t i = 0; i < tensors->size(); ++i) {
            if ((*tensors)[i] != nullptr) {
                ET_TRY(writeTensor(*(*tensors)[i], folder / fmt::format("{}_{}.npy", name, i)));
            }
        }
    }
    return {};
}

}  // namespace

Result<> writeOutputs(executor::Method& method, std::string_view summary, const fs::path& folder) {
    ET_TRY(makeFolder(folder));
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        ET_TRY(writeOutput(method.output(i), folder, fmt::format("output_{}", i)));
    }
    return writeFile(folder / "run.json", producerOf(summary));
}

}  // namespace et::tasks
