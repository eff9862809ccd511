// Saves and restores the visible part of a graph, for links and navigation.
#include "app/studio/graph/graph_panel.h"
#include "visualizers/graph/graph_canvas.h"

#include <QComboBox>
#include <QDataStream>
#include <QIODevice>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace et::studio {

namespace {

using visualizers::GraphPlace;

/// Links must be short, but contain enough to find the position again if parts of the graph are gone.
constexpr std::size_t maxAnchorsOfView = 4;
constexpr int maxViewBytes = 8'000;
constexpr qint32 maxGroupsOfView = 1'000;

QByteArray toBytes(const QString& graph, const GraphPlace& place) {
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    const auto anchors = static_cast<qint32>(std::min(place.anchors.size(), maxAnchorsOfView));
    out << graph << place.scale << anchors;
    for (qint32 i = 0; i < anchors; ++i) {
        const GraphPlace::Anchor& anchor = place.anchors[static_cast<std::size_t>(i)];
        out << QByteArray::fromStdString(anchor.node.name) << quint64(anchor.node.nth) << anchor.node.group
            << anchor.fromMiddle;
    }
    out << static_cast<qint32>(place.open.size());
    for (const std::string& group : place.open) {
        out << QByteArray::fromStdString(group);
    }
    return qCompress(bytes);
}

/// Returns nothing if the bytes do not come from toBytes().
std::optional<std::pair<QString, GraphPlace>> fromBytes(const QByteArray& compressed) {
    constexpr qsizetype lengthBytes = 4;  // uncompressed length, before the content
    if (compressed.size() <= lengthBytes || compressed.size() > maxViewBytes || compressed[0] != 0 ||
        compressed[1] > 1) {
        return std::nullopt;  // longer than any saved view
    }
    const QByteArray bytes = qUncompress(compressed);
    QDataStream in(bytes);
    std::pair<QString, GraphPlace> read;
    qint32 anchors = 0;
    in >> read.first >> read.second.scale >> anchors;
    for (qint32 i = 0; i < anchors && in.status() == QDataStream::Ok; ++i) {
        QByteArray name;
        quint64 nth = 0;
        GraphPlace::Anchor anchor;
        in >> name >> nth >> anchor.node.group >> anchor.fromMiddle;
        anchor.node.name = name.toStdString();
        anchor.node.nth = nth;
        read.second.anchors.push_back(std::move(anchor));
    }
    qint32 groups = 0;
    in >> groups;
    for (qint32 i = 0; i < groups && in.status() == QDataStream::Ok; ++i) {
        QByteArray name;
        in >> name;
        read.second.open.push_back(name.toStdString());
    }
    const bool sound = in.status() == QDataStream::Ok && in.atEnd() && groups <= maxGroupsOfView &&
                       std::isfinite(read.second.scale) && read.second.scale > 0;
    return sound ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace

QByteArray GraphPanel::viewState() const {
    const auto place = view->scene() ? view->place() : std::nullopt;
    if (!place) {
        return {};
    }
    QByteArray bytes = toBytes(graphBox->currentText(), *place);
    return bytes.size() > maxViewBytes ? QByteArray() : bytes;
}

void GraphPanel::restoreView(const QByteArray& state) {
    auto read = fromBytes(state);
    const int which = read ? graphBox->findText(read->first) : -1;
    if (which < 0) {
        return;
    }
    GraphPlace& place = read->second;
    if (which != graphBox->currentIndex()) {
        graphBox->setCurrentIndex(which);
        chooseGraph();
    }
    const auto now = view->scene() ? view->place() : std::nullopt;
    if (now && now->open == place.open) {
        place.chosen = now->chosen;
        view->showPlace(place);
        return;
    }
    kept = std::move(place);
    if (now) {
        first = true;  // the set of open groups differs
        layOut(visualizers::openAgain(*graph, kept->open));
    }
}

}  // namespace et::studio
