#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array methodsColumns{
    SessionColumn{"method", Text, "name: `forward`"},
    SessionColumn{"inputs", Integer, "number of inputs"},
    SessionColumn{"outputs", Integer, "number of outputs"},
    SessionColumn{"instructions", Integer, "number of instructions"},
    SessionColumn{"kernel_calls", Integer, "instructions that run an operator"},
    SessionColumn{"delegate_calls", Integer, "instructions that run a delegate"},
    SessionColumn{"planned_bytes", Integer, "sum of the arenas"},
    SessionColumn{"peak_bytes", Integer, "peak of live bytes, summed over arenas; no plan can need less"},
    SessionColumn{"constant_bytes", Integer, "size of the method's constants"},
    SessionColumn{"payload_bytes", Integer, "size of its delegates' payloads"},
};

constexpr std::array instructionsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"chain", Integer, "chain of instructions; current exporters write one chain, 0"},
    SessionColumn{"instruction", Integer, "position in the chain; joins with `events.instruction`"},
    SessionColumn{"step", Integer,
                  "position in the method, counted over all chains; joins with `tensors.first_step`"},
    SessionColumn{"kind", Text, "`KernelCall`, `DelegateCall`, `MoveCall`, `JumpFalseCall` or `FreeCall`"},
    SessionColumn{"operator", Text, "operator (`aten::add.out`) or backend (`VulkanBackend`)"},
    SessionColumn{"delegate", Integer, "`delegates.delegate`, for delegate calls"},
    SessionColumn{"module", Text,
                  "innermost Python module containing all its nodes (`features.0`); needs a record"},
    SessionColumn{"source", Text, "Python line: `model.py:7`; needs a record"},
};

constexpr std::array argumentsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"chain", Integer, "`instructions.chain`"},
    SessionColumn{"instruction", Integer, "`instructions.instruction`"},
    SessionColumn{"position", Integer, "index of the argument, from 0"},
    SessionColumn{"value", Integer, "number of the value in the method; joins with `tensors.value`"},
    SessionColumn{"type", Text, "`Tensor`, `Int`, `IntList`, …, `Null`"},
    SessionColumn{"access", Text,
                  "`read`, `write`, `update` (both), or null if the instruction does not touch it"},
    SessionColumn{"text", Text, "value, if not a tensor"},
};

constexpr std::array tensorsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"value", Integer, "number of the value in the method"},
    SessionColumn{"name", Text, "fully qualified name of a parameter or buffer; mostly null"},
    SessionColumn{
        "role", Text,
        "`constant`, `input`, `output`, `state`, `intermediate`, `scratch`, `unused`, or `data` (of a "
        "data file without its program)"},
    SessionColumn{"dtype", Text, "`float32`, …"},
    SessionColumn{"shape", Text, "sizes in elements as JSON: `[1, 3, 96, 96]`; upper bounds if dynamic"},
    SessionColumn{"dim_order", Text, "dimensions from outermost to innermost in memory, as JSON"},
    SessionColumn{"dynamism", Text,
                  "`static`, `bounded` (sizes are upper bounds) or `unbounded` (sizes are a hint)"},
    SessionColumn{"bytes", Integer, "size of the dense tensor; null if the dtype is unknown"},
    SessionColumn{"arena", Integer,
                  "`arenas.arena` that holds it (the format's memory id); null if not planned"},
    SessionColumn{"offset", Integer, "bytes from the start of the arena"},
    SessionColumn{"first_step", Integer,
                  "first `instructions.step` at which it is live; -1: before the first instruction"},
    SessionColumn{"last_step", Integer, "last step at which it is live"},
    SessionColumn{"producer", Integer, "first `instructions.instruction` that writes it"},
};

constexpr std::array arenasColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"arena", Integer, "number of the arena"},
    SessionColumn{"device", Text, "`cpu`, or device type and index"},
    SessionColumn{"planned_bytes", Integer, "size"},
    SessionColumn{"peak_bytes", Integer, "peak of live bytes"},
    SessionColumn{"peak_step", Integer, "`instructions.step` of the peak"},
};

constexpr std::array liveBytesColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"arena", Integer, "`arenas.arena`"},
    SessionColumn{"step", Integer, "`instructions.step`; -1: before the first"},
    SessionColumn{"bytes", Integer, "live at that step"},
};

/// First schema version with the bytes of payloads and decoded compile specs.
constexpr int contentsVersion = 8;

constexpr std::array delegatesColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"delegate", Integer, "number of the delegate"},
    SessionColumn{"backend", Text, "`VulkanBackend`"},
    SessionColumn{"payload_bytes", Integer, "size of the payload"},
    SessionColumn{"format", Text, "payload format, from its first bytes"},
    SessionColumn{"calls", Integer, "number of instructions that call it"},
    SessionColumn{"nodes", Integer, "number of nodes inside; null if unknown"},
    SessionColumn{"note", Text, "why `nodes` is unknown"},
    SessionColumn{"known_bytes", Integer, "bytes of the payload that are described", contentsVersion},
    SessionColumn{"opaque_bytes", Integer, "bytes of the payload whose meaning is unknown", contentsVersion},
    SessionColumn{"padding_bytes", Integer, "zeros in the payload that nothing refers to", contentsVersion},
};

constexpr std::array payloadPartsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"delegate", Integer, "`delegates.delegate`"},
    SessionColumn{"part", Text, "name in the payload"},
    SessionColumn{"offset", Integer, "in the payload; null: in named data"},
    SessionColumn{"bytes", Integer, "size"},
    SessionColumn{"opaque_bytes", Integer, "bytes whose meaning is unknown"},
};

constexpr std::array compileSpecsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"delegate", Integer, "`delegates.delegate`"},
    SessionColumn{"key", Text, "name"},
    SessionColumn{"bytes", Integer, "size of the value"},
    SessionColumn{"text", Text, "value, if it is text"},
    SessionColumn{"value", Text, "decoded value in one line; null if the backend's format is unknown",
                  contentsVersion},
};

constexpr std::array compileSpecSettingsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"delegate", Integer, "`delegates.delegate`"},
    SessionColumn{"key", Text, "`compile_specs.key`"},
    SessionColumn{"name", Text, "`soc_info.soc_model`"},
    SessionColumn{"value", Text, "`SM8650`"},
    SessionColumn{"is_default", Integer, "1 if the spec leaves the setting out"},
};

constexpr std::array programTableList{
    SessionTable{.name = "methods",
                 .meaning = "The methods (entry points) of the program.",
                 .key = "",
                 .columns = methodsColumns},
    SessionTable{.name = "instructions",
                 .meaning = "Instructions of the methods.",
                 .key = "",
                 .columns = instructionsColumns},
    SessionTable{.name = "arguments",
                 .meaning = "Arguments of kernel and delegate calls.",
                 .key = "",
                 .columns = argumentsColumns},
    SessionTable{.name = "tensors",
                 .meaning = "Tensors of the methods: constants, inputs, outputs, state and intermediates.",
                 .key = "",
                 .columns = tensorsColumns},
    SessionTable{.name = "arenas", .meaning = "Planned memory.", .key = "", .columns = arenasColumns},
    SessionTable{.name = "live_bytes",
                 .meaning = "Live bytes of each arena at each step.",
                 .key = "",
                 .columns = liveBytesColumns},
    SessionTable{
        .name = "delegates", .meaning = "Delegates of the methods.", .key = "", .columns = delegatesColumns},
    SessionTable{.name = "payload_parts",
                 .meaning = "Files and sections of payloads that are containers.",
                 .key = "",
                 .columns = payloadPartsColumns,
                 .since = contentsVersion},
    SessionTable{.name = "compile_specs",
                 .meaning = "Compile specs: settings given to the backend at export.",
                 .key = "",
                 .columns = compileSpecsColumns},
    SessionTable{.name = "compile_spec_settings",
                 .meaning = "Settings in compile specs with several, such as flatbuffers.",
                 .key = "",
                 .columns = compileSpecSettingsColumns,
                 .since = contentsVersion},
};

}  // namespace

std::span<const SessionTable> programTables() {
    return programTableList;
}

}  // namespace et::inspector::store
