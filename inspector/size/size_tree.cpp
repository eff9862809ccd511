#include "inspector/size/size_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

/// Maximum number of components of a module's name; the rest form one component, since names are arbitrary.
constexpr std::size_t maxNesting = 32;

std::vector<std::string> pathOf(const SizePiece& piece, SizeBy by, const events::ModuleRollUp& modules,
                                ModuleNesting nesting) {
    std::string owner = sizeOwner(piece, by, modules);
    if (by != SizeBy::Module || nesting == ModuleNesting::Flat || piece.module.empty()) {
        return {std::move(owner)};
    }
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t dot = owner.find('.'); dot != std::string::npos && parts.size() + 1 < maxNesting;
         dot = owner.find('.', from)) {
        parts.push_back(owner.substr(from, dot - from));
        from = dot + 1;
    }
    parts.push_back(owner.substr(from));
    return parts;
}

class TreeBuilder {
  public:
    TreeBuilder(const SizeMap& from, SizeBy by) : map(from), summed(by) { nodes.push_back({}); }

    void add(std::size_t number, const std::vector<std::string>& path) {
        std::size_t at = 0;
        for (const std::string& part : path) {
            const auto [place, fresh] = groups.try_emplace({at, part}, nodes.size());
            if (fresh) {
                nodes.push_back({.name = part, .parent = at});
                nodes[at].children.push_back(place->second);
            }
            at = place->second;
        }
        nodes[at].children.push_back(nodes.size());
        nodes.push_back({.name = sizeLabel(map.pieces[number]),
                         .bytes = map.pieces[number].bytes,
                         .parent = at,
                         .piece = number});
    }

    std::vector<SizeNode> finish() && {
        for (std::size_t node = nodes.size(); node-- > 1;) {
            nodes[nodes[node].parent].bytes += nodes[node].bytes;
        }
        for (SizeNode& node : nodes) {
            for (std::size_t& child : node.children) {
                child = summed == SizeBy::Tensor ? onlyPieceOf(child) : child;
                nodes[child].parent = static_cast<std::size_t>(&node - nodes.data());
            }
            std::ranges::stable_sort(node.children, std::greater{},
                                     [this](std::size_t child) { return nodes[child].bytes; });
        }
        return std::move(nodes);
    }

  private:
    [[nodiscard]] std::size_t onlyPieceOf(std::size_t node) const {
        const SizeNode& of = nodes[node];
        return of.children.size() == 1 && nodes[of.children.front()].piece ? of.children.front() : node;
    }

    const SizeMap& map;
    SizeBy summed;
    std::vector<SizeNode> nodes;
    std::map<std::pair<std::size_t, std::string>, std::size_t> groups;
};

}  // namespace

std::string sizeLabel(const SizePiece& piece) {
    return piece.tensor.empty() ? std::string(name(piece.kind)) : piece.tensor;
}

std::string sizeOwner(const SizePiece& piece, SizeBy by, const events::ModuleRollUp& modules) {
    std::string kind(name(piece.kind));
    const auto orKind = [&](std::string_view text) {
        return text.empty() ? fmt::format("({})", kind) : std::string(text);
    };
    switch (by) {
        case SizeBy::Kind:
            return kind;
        case SizeBy::Module:
            return orKind(modules(piece.module));
        case SizeBy::Dtype:
            return orKind(piece.dtype());
        case SizeBy::Scheme:
            return piece.scheme.empty() ? orKind(piece.dtype())
                                        : fmt::format("{}, {}", piece.dtype(), piece.scheme);
        case SizeBy::Backend:
            return orKind(piece.backend);
        case SizeBy::Tensor:
            return piece.data.empty() ? fmt::format("({})", kind) : orKind(piece.tensor);
    }
    return kind;
}

std::vector<SizeNode> sizeTree(const SizeMap& map, SizeBy by, const events::ModuleRollUp& modules,
                               ModuleNesting nesting) {
    TreeBuilder builder(map, by);
    for (std::size_t i = 0; i < map.pieces.size(); ++i) {
        builder.add(i, pathOf(map.pieces[i], by, modules, nesting));
    }
    return std::move(builder).finish();
}

}  // namespace et::inspector
