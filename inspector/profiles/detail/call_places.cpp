#include "inspector/profiles/detail/call_places.h"

#include "inspector/join/instruction_nodes.h"
#include "runtime/core/event_names.h"

#include <algorithm>
#include <cctype>
#include <variant>

namespace et::inspector::profiles::detail {
namespace {

/// Each profile is compared with all of them.
constexpr std::size_t maxPlaces = 64;

bool isOfName(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
}

bool isDelegated(const etdump::Trace& trace, etdump::EventIndex event) {
    const etdump::EventColumns& events = trace.events();
    return events.delegateInt[event] >= 0 || !trace.text(events.delegateString[event]).empty();
}

void addTraced(const etdump::Trace& trace, std::map<CallPlace, DelegatePlace>& places) {
    const etdump::EventColumns& events = trace.events();
    for (etdump::EventIndex i = 0; i < trace.eventCount(); ++i) {
        if (events.kind[i] != etdump::EventKind::Profile) {
            continue;
        }
        const CallPlace place{events.chain[i], core::InstructionId(events.instruction[i])};
        if (isDelegated(trace, i)) {
            places[place].hasOperators = true;
        } else if (trace.text(events.name[i]) == core::event_name::delegateCall) {
            ++places[place].calls;
        }
    }
    std::erase_if(places, [](const auto& each) { return each.second.calls == 0; });
}

std::map<CallPlace, DelegatePlace> placesIn(const program::Method& method) {
    std::map<CallPlace, DelegatePlace> places;
    for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
        const auto& instructions = method.chains[chain].instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            if (std::holds_alternative<program::DelegateCall>(instructions[i])) {
                places[{static_cast<std::int64_t>(chain), core::InstructionId(static_cast<std::int32_t>(i))}];
            }
        }
    }
    return places;
}

bool fits(const program::Method& method, const std::map<CallPlace, DelegatePlace>& places) {
    return std::ranges::all_of(
        places, [&](const auto& each) { return join::detail::delegateAt(method, each.first) != nullptr; });
}

/// The method that ran: the one asked for, or the first that has all calls, or any if the trace has none.
const program::Method* methodOf(const ProfiledModel& model,
                                const std::map<CallPlace, DelegatePlace>& places) {
    if (model.program == nullptr) {
        return nullptr;
    }
    const auto& methods = model.program->methods;
    const auto found = std::ranges::find_if(methods, [&](const program::Method& method) {
        return model.method.empty() ? (places.empty() ? !placesIn(method).empty() : fits(method, places))
                                    : method.name == model.method;
    });
    return found == methods.end() ? nullptr : &*found;
}

/// Likewise, by the record alone.
std::string recordedMethod(const ProfiledModel& model, const std::map<CallPlace, DelegatePlace>& places) {
    if (!model.method.empty() || model.record == nullptr) {
        return model.method;
    }
    for (const std::string& method : model.record->methods()) {
        const etrecord::MethodMaps* const maps = model.record->maps(method);
        if (maps != nullptr && std::ranges::all_of(places, [&](const auto& each) {
                return maps->delegates.contains(each.first.second);
            })) {
            return method;
        }
    }
    return {};
}

void describe(DelegatePlace& place, const program::Method* method, const InstructionNodes& known,
              const etrecord::MethodMaps* maps) {
    const auto* const delegate = method == nullptr ? nullptr : join::detail::delegateAt(*method, place.place);
    if (delegate != nullptr) {
        place.backend = delegate->backend;
    } else if (maps != nullptr) {
        const auto entry = maps->delegates.find(place.place.second);
        place.backend = entry == maps->delegates.end() ? std::string() : entry->second.backend;
    }
    for (const core::DebugHandle handle : known.handlesOf(place.place.second)) {
        for (const etrecord::Node* const node : known.nodesOf({handle})) {
            place.nodes.add(node->name, handle);
        }
    }
}

}  // namespace

void NamedNodes::add(std::string_view name, core::DebugHandle handle) {
    std::vector<core::DebugHandle>& known = handles[std::string(name)];
    if (!std::ranges::contains(known, handle)) {
        known.push_back(handle);
    }
}

/// Tools append to names: "aten_relu_default_cast_fp16" is in the node "aten_relu_default", but
/// "aten_relu_default_1" is another node.
const std::vector<core::DebugHandle>* NamedNodes::find(std::string_view word) const {
    for (std::size_t length = word.size(); length > 0 && length != std::string_view::npos;
         length = word.substr(0, length).rfind('_')) {
        const bool isNumbered =
            length + 1 < word.size() && std::isdigit(static_cast<unsigned char>(word[length + 1])) != 0;
        const auto found = handles.find(word.substr(0, length));
        if (found != handles.end() && !isNumbered) {
            return &found->second;
        }
    }
    return nullptr;
}

std::vector<core::DebugHandle> NamedNodes::in(std::string_view text) const {
    std::vector<core::DebugHandle> named;
    for (std::size_t at = 0; at < text.size() && !handles.empty();) {
        const std::size_t start = at;
        while (at < text.size() && isOfName(text[at])) {
            ++at;
        }
        if (const auto* const found = find(text.substr(start, at - start))) {
            std::ranges::copy_if(*found, std::back_inserter(named), [&](core::DebugHandle handle) {
                return !std::ranges::contains(named, handle);
            });
        }
        at += at == start ? 1 : 0;
    }
    return named;
}

std::vector<DelegatePlace> placesOf(const ProfiledModel& model) {
    std::map<CallPlace, DelegatePlace> places;
    if (model.trace != nullptr) {
        addTraced(*model.trace, places);
    }
    const program::Method* const method = methodOf(model, places);
    const std::string name = method == nullptr ? recordedMethod(model, places) : std::string(method->name);
    const etrecord::MethodMaps* const maps = model.record == nullptr ? nullptr : model.record->maps(name);
    if (model.trace == nullptr && method != nullptr) {
        places = placesIn(*method);
    } else if (model.trace == nullptr && maps != nullptr) {
        for (const auto& [instruction, delegate] : maps->delegates) {
            places[{0, instruction}];
        }
    } else if (model.trace == nullptr) {
        places[{0, core::InstructionId(0)}];
    }
    const InstructionNodes known(model.record, name);
    std::vector<DelegatePlace> list;
    for (auto& [at, place] : places) {
        if (list.size() == maxPlaces) {
            break;
        }
        place.place = at;
        describe(place, method, known, maps);
        list.push_back(std::move(place));
    }
    return list;
}

}  // namespace et::inspector::profiles::detail
