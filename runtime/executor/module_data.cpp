#include "runtime/executor/module_data.h"

namespace et::executor {

std::optional<core::Bytes> ModuleData::find(std::string_view name) const {
    if (const auto* own = program.findNamedData(name)) {
        return own->data;
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
