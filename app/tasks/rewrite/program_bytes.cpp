#include "app/tasks/rewrite/program_bytes.h"

#include "backends/payload_info.h"

#include <algorithm>
#include <iterator>

namespace et::tasks {

std::optional<std::set<std::string_view>> namedDataInUse(const builder::ProgramContent& content) {
    std::vector<std::string_view> names;
    std::ranges::transform(content.namedData, std::back_inserter(names), &program::NamedData::key);
    std::set<std::string_view> used;
    for (const program::Method& method : content.methods) {
        for (const program::Value& value : method.values) {
            if (const auto* const tensor = value.as<program::TensorInfo>()) {
                used.insert(tensor->name);
            }
        }
        for (const program::Delegate& delegate : method.delegates) {
            const auto found = backends::namesIn(delegate.payload, names);
            if (found.empty() && delegate.backend != "XnnpackBackend") {
                return std::nullopt;
            }
            for (const std::size_t name : found) {
                used.insert(names[name]);
            }
        }
    }
    return used;
}

}  // namespace et::tasks
