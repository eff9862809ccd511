#include "inspector/delegates/named_data.h"

#include "backends/delegate_data.h"
#include "backends/payload_info.h"

#include <algorithm>
#include <utility>

namespace et::inspector {

NamedBlobs::NamedBlobs(const program::Program& program,
                       std::span<const std::shared_ptr<const program::TensorData>> tensorData) {
    for (const program::NamedData& blob : program.namedData) {
        add(blob.key, blob.data);
    }
    for (const auto& file : tensorData) {
        for (const program::TensorDataEntry& entry : file->entries) {
            add(entry.name, entry.data);
        }
    }
}

// The program's own data come first, as they do for a backend.
void NamedBlobs::add(std::string_view name, core::Bytes data) {
    if (positions.try_emplace(name, names.size()).second) {
        names.push_back(name);
        blobs.push_back(data);
    }
}

std::vector<NamedBlob> NamedBlobs::usedBy(const program::Delegate& delegate, std::string_view method) const {
    std::vector<std::size_t> used = backends::namesIn(delegate.payload, names);
    for (const backends::DelegateData& each : backends::delegateData(delegate, method).data) {
        if (const auto found = positions.find(each.name); found != positions.end()) {
            used.push_back(found->second);
        }
    }
    std::ranges::sort(used);
    used.erase(std::ranges::unique(used).begin(), used.end());
    std::vector<NamedBlob> found;
    for (const std::size_t each : used) {
        found.push_back({.name = names[each], .data = blobs[each]});
    }
    return found;
}

std::vector<std::string> NamedBlobs::missingFor(const program::Delegate& delegate,
                                                std::string_view method) const {
    std::vector<std::string> missing;
    for (backends::DelegateData& each : backends::delegateData(delegate, method).data) {
        if (each.isRequired && !positions.contains(each.name)) {
            missing.push_back(std::move(each.name));
        }
    }
    return missing;
}

}  // namespace et::inspector
