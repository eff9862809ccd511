#include "etrecord/detail/signature.h"

#include "etrecord/detail/arguments.h"

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <utility>

namespace et::etrecord::detail {
namespace {

using core::Result;

/// Serialized form of one kind of specification.
struct SpecKind {
    std::string_view name;
    std::string_view targetMember;  ///< member that names a parameter, buffer, …; empty if there is none
    bool wholeArgument;             ///< "arg" is a full argument, not a bare {"name": …}
};
// InputSpec and OutputSpec of torch/_export/serde/schema.py.
constexpr std::array inputKinds{
    SpecKind{"user_input", "", true},
    SpecKind{"parameter", "parameter_name", false},
    SpecKind{"buffer", "buffer_name", false},
    SpecKind{"tensor_constant", "tensor_constant_name", false},
    SpecKind{"custom_obj", "custom_obj_name", false},
    SpecKind{"token", "", false},
};
constexpr std::array outputKinds{
    SpecKind{"user_output", "", true},
    SpecKind{"loss_output", "", false},
    SpecKind{"buffer_mutation", "buffer_name", false},
    SpecKind{"parameter_mutation", "parameter_name", false},
    SpecKind{"gradient_to_parameter", "parameter_name", false},
    SpecKind{"gradient_to_user_input", "user_input_name", false},
    SpecKind{"user_input_mutation", "user_input_name", false},
    SpecKind{"token", "", false},
};
/// {"name": …, "value": …}: an input fixed at export.
constexpr std::string_view constantInput = "constant_input";

Result<std::string> readName(const JsonValue& json, std::string_view member) {
    ET_ASSIGN(const JsonValue name, json.member(member));
    return name.string().transform([](std::string_view text) { return std::string(text); });
}

template <class Spec>
Result<> readKnown(const JsonValue& json, const SpecKind& kind, Spec& spec) {
    ET_ASSIGN(const JsonValue argument, json.member("arg"));
    if (kind.wholeArgument) {
        ET_ASSIGN(spec.argument, readArgument(argument));
        spec.value = valueName(spec.argument);
    } else {
        ET_ASSIGN(spec.value, readName(argument, "name"));
    }
    if (!kind.targetMember.empty()) {
        ET_ASSIGN(spec.target, readName(json, kind.targetMember));
    }
    if constexpr (std::is_same_v<Spec, InputSpec>) {
        if (const auto persistent = json.find("persistent")) {
            ET_ASSIGN(spec.persistent, persistent->boolean());
        }
    }
    return {};
}

template <class Spec>
Result<> readPayload(const JsonValue& json, std::span<const SpecKind> kinds, Spec& spec) {
    const auto known = std::ranges::find(kinds, std::string_view(spec.kind), &SpecKind::name);
    if (known != kinds.end()) {
        return readKnown(json, *known, spec);
    }
    if (spec.kind != constantInput) {
        spec.target = json.text();
        return {};
    }
    ET_ASSIGN(spec.value, readName(json, "name"));
    ET_ASSIGN(const JsonValue value, json.member("value"));
    ET_ASSIGN(spec.argument, readArgument(value));
    return {};
}

/// A specification is a union: an object with one non-null member, named by the kind.
template <class Spec>
Result<> readSpecs(const JsonValue& signature, std::string_view member, std::span<const SpecKind> kinds,
                   std::vector<Spec>& specs) {
    const auto list = signature.find(member);
    if (!list) {
        return {};
    }
    return list->forEach([&](const JsonValue& each) {
        Spec spec;
        auto read = each.forEachMember([&](std::string_view kind, const JsonValue& payload) -> Result<> {
            if (!spec.kind.empty() || payload.isNull()) {
                return {};
            }
            spec.kind = kind;
            return readPayload(payload, kinds, spec);
        });
        specs.push_back(std::move(spec));
        return read;
    });
}

template <class Spec>
void writeKnown(core::JsonWriter& out, const SpecKind& kind, const Spec& spec) {
    out.beginObject();
    out.key("arg");
    if (!kind.wholeArgument) {
        out.beginObject();
        out.member("name", [&] { out.string(spec.value); });
        out.endObject();
    } else if (spec.argument.kind.empty()) {
        writeArgument(out, Argument{.name = {}, .kind = "as_tensor", .value = ValueRef{.name = spec.value}});
    } else {
        writeArgument(out, spec.argument);
    }
    if (!kind.targetMember.empty()) {
        out.member(kind.targetMember, [&] { out.string(spec.target); });
    }
    if constexpr (std::is_same_v<Spec, InputSpec>) {
        if (kind.name == "buffer") {
            out.member("persistent", [&] { out.boolean(spec.persistent); });
        }
    }
    out.endObject();
}

template <class Spec>
void writePayload(core::JsonWriter& out, std::span<const SpecKind> kinds, const Spec& spec) {
    const auto known = std::ranges::find(kinds, std::string_view(spec.kind), &SpecKind::name);
    if (known != kinds.end()) {
        writeKnown(out, *known, spec);
    } else if (spec.kind != constantInput) {
        out.raw(spec.target.empty() ? "null" : spec.target);
    } else {
        out.beginObject();
        out.member("name", [&] { out.string(spec.value); });
        out.member("value", [&] { writeArgument(out, spec.argument); });
        out.endObject();
    }
}

template <class Spec>
void writeSpecs(core::JsonWriter& out, std::string_view member, std::span<const SpecKind> kinds,
                const std::vector<Spec>& specs) {
    out.key(member);
    out.beginArray();
    for (const Spec& spec : specs) {
        out.beginObject();
        out.member(spec.kind, [&] { writePayload(out, kinds, spec); });
        out.endObject();
    }
    out.endArray();
}

}  // namespace

Result<> readSignature(const JsonValue& graphModule, ExportedGraph& graph) {
    const auto signature = graphModule.find("signature");
    if (!signature) {
        return {};
    }
    ET_TRY(readSpecs<InputSpec>(*signature, "input_specs", inputKinds, graph.inputSpecs));
    return readSpecs<OutputSpec>(*signature, "output_specs", outputKinds, graph.outputSpecs);
}

void writeSignature(core::JsonWriter& out, const ExportedGraph& graph) {
    out.beginObject();
    writeSpecs<InputSpec>(out, "input_specs", inputKinds, graph.inputSpecs);
    writeSpecs<OutputSpec>(out, "output_specs", outputKinds, graph.outputSpecs);
    out.endObject();
}

}  // namespace et::etrecord::detail
