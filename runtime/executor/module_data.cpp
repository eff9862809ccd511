#include "runtime/executor/module_data.h"

namespace et::executor {

ModuleData::ModuleData(const program::Program& program,
                       std::span<const std::shared_ptr<const program::TensorData>> files)
    : own(program.namedData.size()), tensorData(files.begin(), files.end()) {
    for (const program::NamedData& each : program.namedData) {
        own.try_emplace(each.key, each.data);
    }
}

std::optional<core::Bytes> ModuleData::find(std::string_view name) const {
    if (const auto found = own.find(name); found != own.end()) {
        return found->second;
    }
    const auto external = findExternal(name);
    return external ? std::optional(external->entry->data) : std::nullopt;
}

std::optional<ExternalData> ModuleData::findExternal(std::string_view name) const {
    for (const auto& file : tensorData) {
        if (const auto* entry = file->find(name)) {
            return ExternalData{.entry = entry, .file = file.get()};
        }
    }
    return std::nullopt;
}

}  // namespace et::executor
