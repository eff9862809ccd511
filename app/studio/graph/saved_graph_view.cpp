#include "app/studio/graph/saved_graph_view.h"

#include <QDataStream>
#include <QIODevice>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace et::studio {

namespace {

using visualizers::GraphViewState;

/// Links must be short, but contain enough to find the position again if parts of the graph are gone.
constexpr std::size_t maxAnchorsOfView = 4;
constexpr int maxViewBytes = 8'000;
constexpr qint32 maxGroupsOfView = 1'000;

}  // namespace

QByteArray SavedGraphView::toBytes() const {
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    const auto anchors = static_cast<qint32>(std::min(place.anchors.size(), maxAnchorsOfView));
    out << graph << place.scale << anchors;
    for (qint32 i = 0; i < anchors; ++i) {
        const GraphViewState::Anchor& anchor = place.anchors[static_cast<std::size_t>(i)];
        out << QByteArray::fromStdString(anchor.node.name) << quint64(anchor.node.nth) << anchor.node.group
            << anchor.fromMiddle;
    }
    out << static_cast<qint32>(place.open.size());
    for (const std::string& group : place.open) {
        out << QByteArray::fromStdString(group);
    }
    const QByteArray compressed = qCompress(bytes);
    return compressed.size() > maxViewBytes ? QByteArray() : compressed;
}

std::optional<SavedGraphView> SavedGraphView::fromBytes(const QByteArray& compressed) {
    constexpr qsizetype lengthBytes = 4;  // uncompressed length, before the content
    if (compressed.size() <= lengthBytes || compressed.size() > maxViewBytes || compressed[0] != 0 ||
        compressed[1] > 1) {
        return std::nullopt;  // longer than any saved view
    }
    const QByteArray bytes = qUncompress(compressed);
    QDataStream in(bytes);
    SavedGraphView read;
    qint32 anchors = 0;
    in >> read.graph >> read.place.scale >> anchors;
    for (qint32 i = 0; i < anchors && in.status() == QDataStream::Ok; ++i) {
        QByteArray name;
        quint64 nth = 0;
        GraphViewState::Anchor anchor;
        in >> name >> nth >> anchor.node.group >> anchor.fromMiddle;
        anchor.node.name = name.toStdString();
        anchor.node.nth = nth;
        read.place.anchors.push_back(std::move(anchor));
    }
    qint32 groups = 0;
    in >> groups;
    for (qint32 i = 0; i < groups && in.status() == QDataStream::Ok; ++i) {
        QByteArray name;
        in >> name;
        read.place.open.push_back(name.toStdString());
    }
    const bool sound = in.status() == QDataStream::Ok && in.atEnd() && groups <= maxGroupsOfView &&
                       std::isfinite(read.place.scale) && read.place.scale > 0;
    return sound ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace et::studio
