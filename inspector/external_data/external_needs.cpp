#include "inspector/external_data/external_needs.h"

#include "backends/delegate_data.h"
#include "backends/payload_info.h"

#include <algorithm>
#include <set>
#include <utility>

namespace et::inspector {
namespace {

class NeedsFinder {
  public:
    NeedsFinder(const program::Program& from, std::span<const std::string_view> names)
        : program(from), candidates(names) {
        for (const program::NamedData& own : program.namedData) {
            known.insert(std::string(own.key));
        }
    }

    ExternalNeeds find() {
        for (const program::Method& method : program.methods) {
            for (const program::Value& value : method.values) {
                const auto* const tensor = value.as<program::TensorInfo>();
                if (tensor != nullptr && tensor->initialData == program::InitialData::External) {
                    add({.name = std::string(tensor->name), .tensor = tensor, .isRequired = true});
                }
            }
            for (const program::Delegate& delegate : method.delegates) {
                addDelegate(delegate, method.name);
            }
        }
        return std::move(found);
    }

  private:
    void add(ExternalNeed need) {
        if (known.insert(need.name).second) {
            found.needs.push_back(std::move(need));
        }
    }

    void addDelegate(const program::Delegate& delegate, std::string_view method) {
        backends::DelegateDataList list = backends::delegateData(delegate, method);
        const bool hasOwn = std::ranges::any_of(list.data, [&](const backends::DelegateData& each) {
            return program.findNamedData(each.name) != nullptr;
        });
        for (backends::DelegateData& each : list.data) {
            add({.name = std::move(each.name),
                 .backend = delegate.backend,
                 .type = std::move(each.type),
                 .isRequired = each.isRequired,
                 .isOptional = hasOwn && !each.isRequired,
                 .sha256 = std::move(each.sha256),
                 .hashedBefore = std::move(each.hashedBefore)});
        }
        if (list.isComplete) {
            return;
        }
        for (const std::size_t name : backends::namesIn(delegate.payload, candidates)) {
            add({.name = std::string(candidates[name]), .backend = delegate.backend});
        }
        if (!std::ranges::contains(found.unknownBackends, delegate.backend)) {
            found.unknownBackends.push_back(delegate.backend);
        }
    }

    const program::Program& program;
    std::span<const std::string_view> candidates;
    std::set<std::string, std::less<>> known;
    ExternalNeeds found;
};

}  // namespace

const ExternalNeed* ExternalNeeds::find(std::string_view name) const {
    const auto found = std::ranges::find(needs, name, &ExternalNeed::name);
    return found == needs.end() ? nullptr : &*found;
}

ExternalNeeds externalNeeds(const program::Program& program, std::span<const std::string_view> candidates) {
    return NeedsFinder(program, candidates).find();
}

}  // namespace et::inspector
