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
    SessionColumn{"peak_bytes", Integer,
                  "most that is alive at once, summed over arenas: no plan needs less"},
    SessionColumn{"constant_bytes", Integer, "constants of the method"},
    SessionColumn{"payload_bytes", Integer, "payloads of its delegates"},
};

constexpr std::array instructionsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"chain", Integer, "chain of instructions; files of today have one, 0"},
    SessionColumn{"instruction", Integer, "position in the chain; joins with `events.instruction`"},
    SessionColumn{"step", Integer,
                  "position in the method, over all chains; joins with `tensors.first_step`"},
    SessionColumn{"kind", Text, "`KernelCall`, `DelegateCall`, `MoveCall`, `JumpFalseCall` or `FreeCall`"},
    SessionColumn{"operator", Text, "operator (`aten::add.out`) or backend (`VulkanBackend`)"},
    SessionColumn{"delegate", Integer, "`delegates.delegate` of a delegate call"},
    SessionColumn{"module", Text, "Python module that has all of its nodes (`features.0`); needs a record"},
    SessionColumn{"source", Text, "Python line: `model.py:7`; needs a record"},
};

constexpr std::array argumentsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"chain", Integer, "`instructions.chain`"},
    SessionColumn{"instruction", Integer, "`instructions.instruction`"},
    SessionColumn{"position", Integer, "place among the arguments, from 0"},
    SessionColumn{"value", Integer, "number of the value in the method; joins with `tensors.value`"},
    SessionColumn{"type", Text, "`Tensor`, `Int`, `IntList`, …, `Null`"},
    SessionColumn{"access", Text,
                  "`read`, `write`, `update` (both), or null where the instruction leaves it alone"},
    SessionColumn{"text", Text, "the value of what is no tensor"},
};

constexpr std::array tensorsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"value", Integer, "number of the value in the method"},
    SessionColumn{"name", Text, "fully qualified name of a parameter or buffer; mostly null"},
    SessionColumn{"role", Text,
                  "`constant`, `input`, `output`, `state`, `intermediate`, `scratch` or `unused`"},
    SessionColumn{"dtype", Text, "`float32`, …"},
    SessionColumn{"shape", Text, "sizes in elements as JSON: `[1, 3, 96, 96]`; the largest where they vary"},
    SessionColumn{"dim_order", Text, "dimensions from outermost to innermost in memory, as JSON"},
    SessionColumn{"dynamism", Text,
                  "`static`, `bounded` (sizes are the largest) or `unbounded` (sizes are a hint)"},
    SessionColumn{"bytes", Integer, "size of the dense tensor; null for an unknown dtype"},
    SessionColumn{"arena", Integer,
                  "`arenas.arena` that holds it (the format's memory id); null: not planned"},
    SessionColumn{"offset", Integer, "bytes from the start of the arena"},
    SessionColumn{"first_step", Integer,
                  "`instructions.step` from which on it is alive; -1: before the first"},
    SessionColumn{"last_step", Integer, "last step at which it is alive"},
    SessionColumn{"producer", Integer, "`instructions.instruction` that writes it first"},
};

constexpr std::array arenasColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"arena", Integer, "number of the arena"},
    SessionColumn{"device", Text, "`cpu`, or the device's type and index"},
    SessionColumn{"planned_bytes", Integer, "size"},
    SessionColumn{"peak_bytes", Integer, "most that is alive at once"},
    SessionColumn{"peak_step", Integer, "`instructions.step` where that is"},
};

constexpr std::array liveBytesColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"arena", Integer, "`arenas.arena`"},
    SessionColumn{"step", Integer, "`instructions.step`; -1: before the first"},
    SessionColumn{"bytes", Integer, "alive at that step"},
};

constexpr std::array delegatesColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"delegate", Integer, "number of the delegate"},
    SessionColumn{"backend", Text, "`VulkanBackend`"},
    SessionColumn{"payload_bytes", Integer, "size of what the backend's compiler wrote"},
    SessionColumn{"format", Text, "what the payload starts with"},
    SessionColumn{"calls", Integer, "instructions that run it"},
    SessionColumn{"nodes", Integer, "nodes inside; null where unknown"},
    SessionColumn{"note", Text, "why it is unknown"},
};

constexpr std::array compileSpecsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"delegate", Integer, "`delegates.delegate`"},
    SessionColumn{"key", Text, "name"},
    SessionColumn{"bytes", Integer, "size of the value"},
    SessionColumn{"text", Text, "the value, where it is text"},
};

constexpr std::array programTableList{
    SessionTable{.name = "methods",
                 .meaning = "The methods (entry points) of the program.",
                 .key = "",
                 .columns = methodsColumns},
    SessionTable{.name = "instructions",
                 .meaning = "What a method executes, one row an instruction.",
                 .key = "",
                 .columns = instructionsColumns},
    SessionTable{.name = "arguments",
                 .meaning = "The arguments of kernel and delegate calls.",
                 .key = "",
                 .columns = argumentsColumns},
    SessionTable{.name = "tensors",
                 .meaning = "The tensors of a method: constants, inputs, outputs, state and intermediates.",
                 .key = "",
                 .columns = tensorsColumns},
    SessionTable{
        .name = "arenas", .meaning = "Memory that the program plans.", .key = "", .columns = arenasColumns},
    SessionTable{.name = "live_bytes",
                 .meaning = "Bytes that are alive in an arena, step by step.",
                 .key = "",
                 .columns = liveBytesColumns},
    SessionTable{.name = "delegates",
                 .meaning = "Parts of a method that a backend runs.",
                 .key = "",
                 .columns = delegatesColumns},
    SessionTable{.name = "compile_specs",
                 .meaning = "Settings that the exporter handed to a delegate.",
                 .key = "",
                 .columns = compileSpecsColumns},
};

}  // namespace

std::span<const SessionTable> programTables() {
    return programTableList;
}

}  // namespace et::inspector::store
