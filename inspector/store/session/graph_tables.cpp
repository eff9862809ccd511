#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array graphsColumns{
    SessionColumn{"graph", Integer, "number of the graph"},
    SessionColumn{"kind", Text,
                  "`package`, `program`, `edge` (the record's Edge dialect) or `exported` (the record's "
                  "exported program)"},
    SessionColumn{"method", Text, "`methods.method`"},
};

constexpr std::array nodesColumns{
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"node", Integer, "position in the graph"},
    SessionColumn{"name", Text, "`aten_convolution_default`"},
    SessionColumn{"operator", Text, "`aten.convolution.default`, `Conv2d`"},
    SessionColumn{"instruction", Integer,
                  "instruction that runs it (program graphs); inside a delegate, the delegate call"},
    SessionColumn{"part_of", Text, "enclosing modules or delegate, outermost first, separated by ` > `"},
    SessionColumn{"module", Text, "qualified name of its Python module: `features.0`"},
    SessionColumn{"module_type", Text, "`torch.nn.modules.conv.Conv2d`"},
    SessionColumn{"source", Text, "Python line: `model.py:7`"},
};

constexpr std::array edgesColumns{
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"source_node", Integer, "node that computes the value; null for inputs and constants"},
    SessionColumn{"target_node", Integer, "node that uses it"},
    SessionColumn{"value", Text, "name of the value"},
    SessionColumn{"type", Text, "`float32 [1, 3, 96, 96]`"},
    SessionColumn{"role", Text, "`intermediate`, `input`, `output` or `constant`"},
    SessionColumn{"bytes", Integer, "size of the dense data; null if unknown or none"},
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
    SessionColumn{"debug_handle", Integer, "debug handle"},
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
    SessionColumn{"file", Text, "path on the machine that exported the model"},
    SessionColumn{"line", Integer, "line number"},
    SessionColumn{"function", Text, "function"},
    SessionColumn{"text", Text, "source text of the line"},
};

constexpr std::array instructionHandlesColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"instruction", Integer, "`instructions.instruction`"},
    SessionColumn{"debug_handle", Integer, "debug handle"},
};

constexpr std::array delegateMapsColumns{
    SessionColumn{"method", Text, "`methods.method`"},
    SessionColumn{"instruction", Integer, "instruction that calls the delegate"},
    SessionColumn{"backend", Text, "`VulkanBackend`"},
    SessionColumn{"delegate_id", Text,
                  "the delegate's own id or name for the operator; joins with `events.delegate_id`"},
    SessionColumn{"debug_handle", Integer, "its Edge debug handle"},
};

constexpr std::array graphTableList{
    SessionTable{
        .name = "graphs",
        .meaning = "Graphs of the program, including the inside of its delegates, and of the record.",
        .key = "graph",
        .columns = graphsColumns},
    SessionTable{.name = "nodes",
                 .meaning = "Operators of the graphs.",
                 .key = "graph, node",
                 .columns = nodesColumns},
    SessionTable{.name = "edges",
                 .meaning = "Edges of the graphs: values passed from node to node.",
                 .key = "",
                 .columns = edgesColumns},
    SessionTable{.name = "node_attributes",
                 .meaning = "Non-tensor arguments and other properties of nodes.",
                 .key = "",
                 .columns = nodeAttributesColumns},
    SessionTable{
        .name = "node_handles",
        .meaning = "Debug handles of nodes, which tie them to instructions, events and other graphs.",
        .key = "",
        .columns = nodeHandlesColumns},
    SessionTable{.name = "node_modules",
                 .meaning = "Python modules enclosing each node of a record's graph.",
                 .key = "",
                 .columns = nodeModulesColumns},
    SessionTable{.name = "stack_frames",
                 .meaning = "Python stack of each node of a record's graph.",
                 .key = "",
                 .columns = stackFramesColumns},
    SessionTable{.name = "instruction_handles",
                 .meaning = "Debug handles of instructions, from the record's map.",
                 .key = "",
                 .columns = instructionHandlesColumns},
    SessionTable{.name = "delegate_maps",
                 .meaning = "The record's delegate maps: operators inside delegates.",
                 .key = "",
                 .columns = delegateMapsColumns},
};

}  // namespace

std::span<const SessionTable> graphTables() {
    return graphTableList;
}

}  // namespace et::inspector::store
