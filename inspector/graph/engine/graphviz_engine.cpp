#include "inspector/graph/engine/graphviz_engine.h"

#include <fmt/format.h>
#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <array>
#include <iterator>

// The only plugin that is needed, linked, because Graphviz searches plugins by a file with fixed paths.
extern "C" gvplugin_library_t gvplugin_dot_layout_LTX_library;

namespace et::inspector::engine {
namespace {

constexpr double pointsPerInch = 72;

class Positions {
  public:
    explicit Positions(Agraph_t* laidOut) : graph(laidOut), box(GD_bb(laidOut)) {}

    std::string write() {
        append("graph {:.2f} {:.2f}\n", box.UR.x - box.LL.x, box.UR.y - box.LL.y);
        writeClusters(graph);
        for (Agnode_t* node = agfstnode(graph); node != nullptr; node = agnxtnode(graph, node)) {
            writeNode(node);
            for (Agedge_t* edge = agfstout(graph, node); edge != nullptr; edge = agnxtout(graph, edge)) {
                writeEdge(edge);
            }
        }
        append("end\n");
        return std::move(out);
    }

  private:
    template <class... Arguments>
    void append(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out), text, std::forward<Arguments>(arguments)...);
    }
    [[nodiscard]] double x(double at) const { return at - box.LL.x; }
    [[nodiscard]] double y(double at) const { return box.UR.y - at; }

    void writeNode(Agnode_t* node) {
        const double width = ND_width(node) * pointsPerInch;
        const double height = ND_height(node) * pointsPerInch;
        append("node {} {:.2f} {:.2f} {:.2f} {:.2f}\n", agnameof(node), x(ND_coord(node).x) - width / 2,
               y(ND_coord(node).y) - height / 2, width, height);
    }

    void writeClusters(Agraph_t* in) {
        for (int i = 1; i <= GD_n_cluster(in); ++i) {
            Agraph_t* cluster = GD_clust(in)[i];
            const boxf& area = GD_bb(cluster);
            append("cluster {} {:.2f} {:.2f} {:.2f} {:.2f}\n", agnameof(cluster), x(area.LL.x), y(area.UR.y),
                   area.UR.x - area.LL.x, area.UR.y - area.LL.y);
            writeClusters(cluster);
        }
    }

    void writeEdge(Agedge_t* edge) {
        const splines* curves = ED_spl(edge);
        if (curves == nullptr || curves->size == 0 || curves->list[0].size % 3 != 1) {
            return;  // dot occasionally fails to route a line
        }
        append("edge {} {}", agnameof(agtail(edge)), agnameof(aghead(edge)));
        const bezier& curve = curves->list[0];
        for (int i = 0; i < curve.size; ++i) {
            append(" {:.2f} {:.2f}", x(curve.list[i].x), y(curve.list[i].y));
        }
        append("\n");
    }

    Agraph_t* graph;
    boxf box;
    std::string out;
};

}  // namespace

std::string layOutDot(const std::string& dot) {
    const std::array plugins{
        lt_symlist_t{.name = "gvplugin_dot_layout_LTX_library", .address = &gvplugin_dot_layout_LTX_library},
        lt_symlist_t{.name = nullptr, .address = nullptr}};
    GVC_t* context = gvContextPlugins(plugins.data(), 0);
    Agraph_t* graph = agmemread(dot.c_str());
    if (graph == nullptr || gvLayout(context, graph, "dot") != 0) {
        return {};
    }
    return Positions(graph).write();  // the process exits next, so nothing is freed
}

}  // namespace et::inspector::engine
