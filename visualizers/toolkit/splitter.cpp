#include "visualizers/toolkit/splitter.h"

#include <QDataStream>
#include <QIODevice>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace et::visualizers {

namespace {

constexpr quint32 splitterVersion = 0x53504c31;  // "SPL1", which does not occur at the start of a QSplitter
                                                 // state

}  // namespace

Splitter::Splitter(QWidget* parent) : Splitter(Qt::Horizontal, parent) {
}

Splitter::Splitter(Qt::Orientation orientation, QWidget* parent) : QSplitter(orientation, parent) {
    connect(this, &QSplitter::splitterMoved, this, &Splitter::measureShares);
}

void Splitter::addParts(std::initializer_list<Part> parts) {
    for (const Part& part : parts) {
        addWidget(part.widget);
        setStretchFactor(count() - 1, part.stretch);
    }
}

QByteArray Splitter::saveState() const {
    QByteArray state;
    if (!shares.isEmpty()) {
        QDataStream(&state, QIODevice::WriteOnly) << splitterVersion << shares;
    }
    return state;
}

void Splitter::restoreState(const QByteArray& state) {
    QDataStream in(state);
    quint32 version = 0;
    QList<double> saved;
    in >> version;
    if (version == splitterVersion) {
        in >> saved;
    }
    const auto isShare = [](double value) { return value >= 0 && value <= 1; };  // also rejects NaN
    if (in.status() == QDataStream::Ok && !saved.isEmpty() && std::ranges::all_of(saved, isShare)) {
        shares = saved;
        applyShares();
    }
}

void Splitter::resizeEvent(QResizeEvent* event) {
    QSplitter::resizeEvent(event);
    applyShares();
}

void Splitter::applyShares() {
    const int length = orientation() == Qt::Horizontal ? width() : height();
    if (shares.size() != count() || length <= 0) {
        return;
    }
    QList<int> sizes;
    for (const double share : shares) {
        sizes.append(static_cast<int>(std::lround(share * length)));
    }
    setSizes(sizes);
}

void Splitter::measureShares() {
    const QList<int> now = sizes();
    const int total = std::accumulate(now.begin(), now.end(), 0);
    if (total > 0) {
        shares.clear();
        for (const int size : now) {
            shares.append(double(size) / total);
        }
    }
}

}  // namespace et::visualizers
