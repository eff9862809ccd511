#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array graphsColumns{
    SessionColumn{"graph", Integer, "number of the graph"},
    SessionColumn{
        "kind", Text,
        "`program`, `edge` (the record's Edge dialect) or `exported` (the record's exported program)"},
    SessionColumn{"method", Text, "method that it is of"},
};

constexpr std::array nodesColumns{
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"node", Integer, "position in the graph"},
    SessionColumn{"name", Text, "`aten_convolution_default`"},
    SessionColumn{"operator", Text, "`aten.convolution.default`, `Conv2d`"},
    SessionColumn{"instruction", Integer,
                  "that runs it (program graphs); of the delegate call for what is in a delegate"},
    SessionColumn{"part_of", Text, "modules or delegate that it is in, outermost first, separated by ` > `"},
    SessionColumn{"module", Text, "qualified name of its Python module: `features.0`"},
    SessionColumn{"module_type", Text, "`torch.nn.modules.conv.Conv2d`"},
    SessionColumn{"source", Text, "Python line: `model.py:7`"},
};

constexpr std::array edgesColumns{
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"source_node", Integer, "that computes the value; null: an input or a constant"},
    SessionColumn{"target_node", Integer, "that uses it"},
    SessionColumn{"value", Text, "name of the value"},
    SessionColumn{"type", Text, "`float32 [1, 3, 96, 96]`"},
    SessionColumn{"role", Text, "`intermediate`, `input`, `output` or `constant`"},
    SessionColumn{"bytes", Integer, "size of the dense data; null: unknown, or none"},
};

constexpr std::array nodeAttributesColumns{
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"node", Integer, "`nodes.node`"},
    SessionColumn{"name", Text, "`stride`"},
    SessionColumn{"text", Text, "`[2, 2]`"},
};

constexpr std::array nodeHandlesColumns{
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"node", Integer, "`nodes.node`"},
    SessionColumn{"debug_handle", Integer, "the handle"},
};

constexpr std::array nodeModulesColumns{
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"node", Integer, "`nodes.node`"},
    SessionColumn{"depth", Integer, "0: outermost"},
    SessionColumn{"path", Text, "key of the module stack"},
    SessionColumn{"name", Text, "qualified name: `features.0`"},
    SessionColumn{"type", Text, "class"},
};

constexpr std::array stackFramesColumns{
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"node", Integer, "`nodes.node`"},
    SessionColumn{"depth", Integer, "0: outermost"},
    SessionColumn{"file", Text, "path, as it was where the model was exported"},
    SessionColumn{"line", Integer, "line number"},
    SessionColumn{"function", Text, "function"},
    SessionColumn{"text", Text, "source text of the line"},
};

constexpr std::array instructionHandlesColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"instruction", Integer, "`instructions.instruction`"},
    SessionColumn{"debug_handle", Integer, "the handle"},
};

constexpr std::array delegateMapsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"instruction", Integer, "that runs the delegate"},
    SessionColumn{"backend", Text, "`VulkanBackend`"},
    SessionColumn{"delegate_id", Text,
                  "the delegate's own number or name of the operator; joins with `events.delegate_id`"},
    SessionColumn{"debug_handle", Integer, "Edge debug handle of it"},
};

constexpr std::array graphTableList{
    SessionTable{.name = "graphs",
                 .meaning = "The graphs: what the program runs, with the inside of its delegates, and the "
                            "graphs of the record.",
                 .key = "graph",
                 .columns = graphsColumns},
    SessionTable{.name = "nodes",
                 .meaning = "The operators of a graph.",
                 .key = "graph, node",
                 .columns = nodesColumns},
    SessionTable{.name = "edges",
                 .meaning = "Which node uses what which other node computes.",
                 .key = "",
                 .columns = edgesColumns},
    SessionTable{.name = "node_attributes",
                 .meaning = "Arguments of nodes that are no tensors, and other properties.",
                 .key = "",
                 .columns = nodeAttributesColumns},
    SessionTable{
        .name = "node_handles",
        .meaning = "The debug handles of nodes, which tie them to instructions, events and other graphs.",
        .key = "",
        .columns = nodeHandlesColumns},
    SessionTable{.name = "node_modules",
                 .meaning = "The Python modules that a node of a record's graph is in.",
                 .key = "",
                 .columns = nodeModulesColumns},
    SessionTable{.name = "stack_frames",
                 .meaning = "The Python stack of a node of a record's graph.",
                 .key = "",
                 .columns = stackFramesColumns},
    SessionTable{.name = "instruction_handles",
                 .meaning = "The debug handles of instructions, as the record maps them.",
                 .key = "",
                 .columns = instructionHandlesColumns},
    SessionTable{.name = "delegate_maps",
                 .meaning = "What the record says of the operators inside of delegates.",
                 .key = "",
                 .columns = delegateMapsColumns},
};

}  // namespace

std::span<const SessionTable> graphTables() {
    return graphTableList;
}

}  // namespace et::inspector::store
