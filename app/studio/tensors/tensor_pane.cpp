#include "app/studio/tensors/tensor_pane.h"

#include "inspector/format/quantities.h"
#include "inspector/tensors/stored_values.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QTabWidget>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace et::studio {

namespace {

using inspector::SideStatistics;
using inspector::TensorForm;
using inspector::format::Column;
using visualizers::TensorValues;
using visualizers::toQString;

constexpr int paneMargin = 6;
constexpr std::size_t maxSides = 2;
/// Slices with fewer elements are too small to see: each channel then becomes one row.
constexpr std::int64_t smallSlice = 64;

QString textOf(double number) {
    return QString::number(number, 'g', 6);
}

QString statisticsText(const SideStatistics& of) {
    QStringList parts{QStringLiteral("%1 elements").arg(of.elements)};
    if (of.elements > of.nans + of.infinities) {
        parts.append(QStringLiteral("%1 to %2").arg(textOf(of.minimum), textOf(of.maximum)));
        parts.append(QStringLiteral("mean %1").arg(textOf(of.mean)));
        parts.append(QStringLiteral("standard deviation %1").arg(textOf(of.deviation)));
        parts.append(QStringLiteral("%1 zeros").arg(of.zeros));
    }
    if (of.nans > 0) {
        parts.append(QStringLiteral("%1 NaN").arg(of.nans));
    }
    if (of.infinities > 0) {
        parts.append(QStringLiteral("%1 infinite").arg(of.infinities));
    }
    return parts.join(QStringLiteral(" · "));
}

/// Returns the same elements with all dimensions after the first flattened into rows.
std::shared_ptr<const TensorValues> rowsOf(const std::shared_ptr<const TensorValues>& from) {
    if (from == nullptr || from->sizes.size() <= 2) {
        return from;
    }
    auto flat = std::make_shared<TensorValues>(*from);
    const std::int64_t first = flat->sizes.front();
    const std::int64_t rest =
        std::accumulate(flat->sizes.begin() + 1, flat->sizes.end(), std::int64_t{1}, std::multiplies<>());
    flat->sizes = {first, rest};
    return flat;
}

bool hasSmallSlices(const TensorValues& of) {
    return of.sizes.size() > 2 && of.sizes.back() * of.sizes[of.sizes.size() - 2] < smallSlice;
}

Column channelColumn(const char* id, const QString& header) {
    return {.id = id, .header = header.toStdString(), .numeric = true};
}

visualizers::ReportRows channelTable(const std::vector<SideStatistics>& channels) {
    visualizers::ReportRows rows;
    rows.table.columns = {
        channelColumn("channel", QStringLiteral("Channel")), channelColumn("min", QStringLiteral("Min")),
        channelColumn("max", QStringLiteral("Max")),         channelColumn("mean", QStringLiteral("Mean")),
        channelColumn("std", QStringLiteral("Std")),         channelColumn("zeros", QStringLiteral("Zeros")),
        channelColumn("nan", QStringLiteral("NaN")),         channelColumn("inf", QStringLiteral("Inf"))};
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const SideStatistics& of = channels[i];
        rows.table.rows.push_back({std::uint64_t{i}, of.minimum, of.maximum, of.mean, of.deviation, of.zeros,
                                   of.nans, of.infinities});
    }
    return rows;
}

}  // namespace

TensorPane::TensorPane(QWidget* parent)
    : QWidget(parent),
      reading(this),
      title(new QLabel(this)),
      real(new QCheckBox(QStringLiteral("Real numbers"), this)),
      rows(new QCheckBox(QStringLiteral("One row per channel"), this)),
      dims(visualizers::choiceBox("tensorDim", QStringLiteral("Channel dimension"), this)),
      tabs(new QTabWidget(this)),
      values(new visualizers::ComparisonView(this)),
      distributions(new visualizers::OverlaidHistograms(this)),
      channelRows(new visualizers::ReportTable(this)) {
    title->setObjectName(QStringLiteral("tensorTitle"));
    title->setTextFormat(Qt::RichText);
    title->setWordWrap(true);
    title->setMargin(paneMargin);
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    channelRows->setObjectName(QStringLiteral("tensorChannels"));
    channelRows->setHint(QStringLiteral("A scalar has no channels."));
    tabs->setDocumentMode(true);
    tabs->addTab(values, QStringLiteral("Values"));
    tabs->addTab(distributions, QStringLiteral("Distribution"));
    tabs->addTab(channelRows, QStringLiteral("Channels"));
    visualizers::fillColumn(*this, {title, createTools(), tabs});
    setTensors(nullptr, {});
}

QWidget* TensorPane::createTools() {
    auto* const bar = new QWidget(this);
    real->setObjectName(QStringLiteral("tensorReal"));
    real->setToolTip(QStringLiteral("Dequantized values of a quantized weight instead of its integers"));
    real->setChecked(true);
    rows->setObjectName(QStringLiteral("tensorRows"));
    rows->setToolTip(
        QStringLiteral("All elements at one index of the first dimension as one row, instead of slices"));
    auto* const layout = new QHBoxLayout(bar);
    layout->setContentsMargins(paneMargin, 0, paneMargin, paneMargin);
    layout->addWidget(real);
    layout->addWidget(rows);
    layout->addWidget(dims);
    layout->addStretch();
    connect(real, &QCheckBox::toggled, this, &TensorPane::read);
    connect(rows, &QCheckBox::toggled, this, &TensorPane::showValues);
    connect(dims, &QComboBox::activated, this, &TensorPane::read);
    return bar;
}

void TensorPane::setTensors(std::shared_ptr<const inspector::TensorCatalog> from,
                            std::vector<std::size_t> which) {
    catalog = std::move(from);
    tensors = std::move(which);
    tensors.resize(std::min(tensors.size(), maxSides));
    dims->clear();
    read();
}

TensorForm TensorPane::form() const {
    return real->isChecked() ? TensorForm::Real : TensorForm::Stored;
}

TensorPane::Side TensorPane::readSide(const inspector::TensorCatalog& catalog, std::size_t tensor,
                                      TensorForm form) {
    Side side;
    const auto read = catalog.read(tensor, form).and_then([](const inspector::HostTensor& found) {
        return visualizers::valuesOf(found);
    });
    if (!read) {
        side.problem = read.error().message;
        return side;
    }
    side.statistics = inspector::computeStatistics(read->numbers);
    side.values = std::make_shared<const TensorValues>(*read);
    return side;
}

TensorPane::Loaded TensorPane::load(const inspector::TensorCatalog& catalog,
                                    const std::vector<std::size_t>& which, TensorForm form,
                                    std::size_t channelDim) {
    Loaded loaded;
    for (const std::size_t tensor : which) {
        loaded.sides.push_back(readSide(catalog, tensor, form));
    }
    const auto numbers = [&](std::size_t side) {
        const bool any = side < loaded.sides.size() && loaded.sides[side].values != nullptr;
        return any ? std::span<const double>(loaded.sides[side].values->numbers) : std::span<const double>();
    };
    loaded.distributions = visualizers::makeDistributions(numbers(0), numbers(1));
    const auto& first = loaded.sides.front().values;
    if (first != nullptr && channelDim < first->sizes.size()) {
        loaded.channelDim = channelDim;
        loaded.channels = inspector::channelStatistics(first->numbers, first->sizes, channelDim);
    }
    return loaded;
}

void TensorPane::read() {
    reading.forget();
    if (catalog == nullptr || tensors.empty()) {
        show({});
        return;
    }
    const auto dim = static_cast<std::size_t>(std::max(dims->currentIndex(), 0));
    reading.start(
        [from = catalog, which = tensors, wanted = form(), dim] { return load(*from, which, wanted, dim); },
        [this](const Loaded& read) { show(read); });
}

void TensorPane::show(const Loaded& read) {
    const bool first = dims->count() == 0;
    loaded = read;
    const TensorValues* const shape = loaded.sides.empty() ? nullptr : loaded.sides.front().values.get();
    if (first && shape != nullptr) {
        for (std::size_t dim = 0; dim < shape->sizes.size(); ++dim) {
            dims->addItem(QStringLiteral("Channels: dimension %1, of %2").arg(dim).arg(shape->sizes[dim]));
        }
        const QSignalBlocker quiet(rows);
        rows->setChecked(hasSmallSlices(*shape));
    }
    rows->setVisible(shape != nullptr && shape->sizes.size() > 2);
    dims->setVisible(dims->count() > 1);
    distributions->setNames({.a = nameOf(0),
                             .b = nameOf(1),
                             .oneSample = QStringLiteral("1 element"),
                             .manySamples = QStringLiteral("%1 elements")});
    distributions->setDistributions(loaded.distributions, {});
    channelRows->setRows(channelTable(loaded.channels));
    showHeadline();
    showValues();
}

QString TensorPane::nameOf(std::size_t side) const {
    return side < tensors.size() ? toQString(catalog->tensors()[tensors[side]].name) : QString();
}

void TensorPane::showValues() {
    visualizers::ComparedValues compared;
    const auto side = [&](std::size_t at) -> std::shared_ptr<const TensorValues> {
        const bool any = at < loaded.sides.size();
        return any ? (rows->isChecked() ? rowsOf(loaded.sides[at].values) : loaded.sides[at].values)
                   : nullptr;
    };
    const auto problem = [&](std::size_t at) {
        return at < loaded.sides.size() ? toQString(loaded.sides[at].problem) : QString();
    };
    compared.expected = side(0);
    compared.actual = side(1);
    compared.noExpected = problem(0);
    compared.noActual = problem(1);
    values->setAlone(loaded.sides.size() < maxSides);
    values->setNames(nameOf(0), nameOf(1));
    values->setComparison(std::move(compared));
}

void TensorPane::showHeadline() {
    QStringList lines;
    for (std::size_t i = 0; i < loaded.sides.size(); ++i) {
        const inspector::CatalogTensor& tensor = catalog->tensors()[tensors[i]];
        const Side& side = loaded.sides[i];
        lines.append(QStringLiteral("<b>%1</b> &nbsp;%2 · %3 · %4")
                         .arg(toQString(tensor.name).toHtmlEscaped(), toQString(tensor.type).toHtmlEscaped(),
                              toQString(inspector::format::readableBytes(tensor.bytes)),
                              toQString(tensor.place).toHtmlEscaped()));
        lines.append(side.values == nullptr ? toQString(side.problem).toHtmlEscaped()
                                            : statisticsText(side.statistics));
    }
    title->setText(lines.isEmpty()
                       ? QStringLiteral("Select a tensor to see its elements; select two to compare them.")
                       : lines.join(QStringLiteral("<br>")));
}

QString TensorPane::headline() const {
    return title->text();
}

void TensorPane::showTab(Tab tab) {
    tabs->setCurrentIndex(tab);
}

}  // namespace et::studio
