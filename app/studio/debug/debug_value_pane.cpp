#include "app/studio/debug/debug_value_pane.h"

#include "app/studio/debug/debug_session.h"
#include "app/studio/form_rows.h"
#include "visualizers/debug/debug_rows.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/widgets.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QStandardItemModel>
#include <QTabWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace et::studio {

namespace {

constexpr int valueMargin = 6;
constexpr int figureLetters = 44;
constexpr int newValueLetters = 24;
constexpr int comparedLetters = 12;

constexpr std::array comparisons{
    Choice{"", "alone", "Only this value"},
    Choice{"/r", "with the reference", "The value of the exported graph at the same position"},
    Choice{"/p", "with the previous execution", "The value at the same instruction one execution before"},
};

std::shared_ptr<const visualizers::TensorValues> tensorOf(const visualizers::DebugValue& value,
                                                          const std::vector<double>& data, QString& problem) {
    std::size_t elements = 1;
    for (const std::int64_t size : value.sizes) {
        elements *= static_cast<std::size_t>(size);
    }
    if (value.kind != QStringLiteral("tensor")) {
        problem = QStringLiteral("not a tensor");
        return nullptr;
    }
    if (data.size() != elements) {
        problem = QStringLiteral("%1 of %2 elements are known; select a part, such as %3[0], in Watch")
                      .arg(data.size())
                      .arg(elements)
                      .arg(value.spelling());
        return nullptr;
    }
    const bool integral =
        value.dtype.contains(QStringLiteral("int")) || value.dtype == QStringLiteral("bool");
    return std::make_shared<visualizers::TensorValues>(visualizers::TensorValues{
        .type = value.type().toStdString(), .sizes = value.sizes, .numbers = data, .integral = integral});
}

}  // namespace

DebugValuePane::DebugValuePane(DebugSession& of, QWidget* parent)
    : QWidget(parent),
      session(of),
      reading(this),
      comparedWith(visualizers::choiceBox("debugCompared", QStringLiteral("Compare the value"), this)),
      newValue(new QLineEdit(this)),
      set(new QPushButton(QStringLiteral("Set"), this)),
      text(visualizers::plainLabel("debugDetails", this, {.margin = valueMargin, .selectable = true})),
      distribution(new visualizers::OverlaidHistograms(this)),
      tensors(new visualizers::ComparisonView(this)),
      body(new QWidget(this)),
      hint(visualizers::hintLabel("debugValueHint", this)) {
    text->setTextFormat(Qt::RichText);
    text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    createFigures();
    hint->setText(QStringLiteral("Select a value to see its elements."));
    auto* const pages = new QStackedLayout(this);
    pages->addWidget(hint);
    pages->addWidget(body);
    connect(comparedWith, &QComboBox::activated, this, &DebugValuePane::showElements);
    connect(set, &QPushButton::clicked, this, &DebugValuePane::change);
    connect(newValue, &QLineEdit::returnPressed, this, &DebugValuePane::change);
    setHasReference(false);
    show({});
}

QWidget* DebugValuePane::createHead() {
    auto* const head = new QWidget(this);
    auto* const row = new QHBoxLayout(head);
    row->setContentsMargins(valueMargin, valueMargin / 2, valueMargin, valueMargin / 2);
    fillChoices(*comparedWith, comparisons);
    comparedWith->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    comparedWith->setMinimumContentsLength(comparedLetters);
    newValue->setObjectName(QStringLiteral("debugNewValue"));
    newValue->setAccessibleName(QStringLiteral("New value"));
    newValue->setPlaceholderText(QStringLiteral("number, file, reference or expression"));
    newValue->setToolTip(QStringLiteral("Replaces all elements; the run continues on a branch"));
    newValue->setMaximumWidth(fontMetrics().averageCharWidth() * newValueLetters * 2);
    set->setObjectName(QStringLiteral("debugSet"));
    set->setToolTip(newValue->toolTip());
    row->addWidget(comparedWith);
    row->addStretch(1);
    row->addWidget(newValue, 2);
    row->addWidget(set);
    return head;
}

void DebugValuePane::createFigures() {
    auto* const area = new QScrollArea(this);
    area->setWidget(text);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(QStringLiteral("Details of the value"));
    auto* const pictures = new QTabWidget(this);
    pictures->setObjectName(QStringLiteral("debugPictures"));
    pictures->setDocumentMode(true);
    pictures->addTab(tensors, QStringLiteral("Elements"));
    pictures->addTab(distribution, QStringLiteral("Distribution"));
    auto* const split = new visualizers::Splitter(this);
    split->addParts({{area, 0}, {pictures, 1}});
    split->setChildrenCollapsible(false);
    split->setSizes(
        {fontMetrics().averageCharWidth() * figureLetters, fontMetrics().averageCharWidth() * figureLetters});
    visualizers::fillColumn(*body, {createHead(), split}, split);
    tensors->setNames(QStringLiteral("Value"), QStringLiteral("Value"));
}

void DebugValuePane::setHasReference(bool has) {
    hasReference = has;
    qobject_cast<QStandardItemModel*>(comparedWith->model())->item(1)->setEnabled(has);
    if (!has && comparedWith->currentIndex() == 1) {
        comparedWith->setCurrentIndex(0);
    }
}

void DebugValuePane::setValue(const QString& spelling) {
    if (spelling != shown) {
        shown = spelling;
        known = {};
        accesses = {};
        text->clear();
        show({});
    }
    refresh();
}

void DebugValuePane::refresh() {
    ++request;
    reading.forget();
    static_cast<QStackedLayout*>(layout())->setCurrentIndex(shown.isEmpty() ? 0 : 1);
    set->setEnabled(session.running());
    newValue->setEnabled(session.running());
    if (shown.isEmpty() || !session.running() || !session.position()) {
        return;
    }
    const bool isLater = session.position()->point.execution > 0;
    const QString flags =
        (hasReference ? QStringLiteral("/r ") : QString()) + (isLater ? QStringLiteral("/p ") : QString());
    const std::size_t number = request;
    session.query(QStringLiteral("print /a %1%2").arg(flags, shown),
                  [this, number](const QJsonObject& answer) {
                      if (number == request) {
                          takeValue(answer);
                      }
                  });
    session.query(QStringLiteral("info writers ") + shown, [this, number](const QJsonObject& answer) {
        if (number == request && answer.contains(QLatin1String("info"))) {
            accesses = visualizers::readDebugAccesses(answer.value(QLatin1String("info")).toObject());
            text->setText(visualizers::detailsOf(known, accesses));
        }
    });
}

void DebugValuePane::takeValue(const QJsonObject& answer) {
    const QJsonObject value = answer.value(QLatin1String("value")).toObject();
    known = visualizers::readDebugValue(value);
    text->setText(value.isEmpty() ? visualizers::readDebugError(answer).toHtmlEscaped()
                                  : visualizers::detailsOf(known, accesses));
    showElements();
}

void DebugValuePane::showElements() {
    const auto other = comparedWith->currentIndex() == 1   ? known.reference
                       : comparedWith->currentIndex() == 2 ? known.previous
                                                           : std::nullopt;
    reading.start([value = known,
                   against = other.value_or(visualizers::DebugDifference())] { return load(value, against); },
                  [this](const Loaded& loaded) { show(loaded); });
}

DebugValuePane::Loaded DebugValuePane::load(const visualizers::DebugValue& value,
                                            const visualizers::DebugDifference& other) {
    Loaded loaded;
    visualizers::ComparedValues& sides = loaded.values;
    sides.actual = tensorOf(value, value.data, sides.noActual);
    if (other.missing.isEmpty()) {
        sides.expected = tensorOf(value, other.data, sides.noExpected);
    } else {
        sides.noExpected = other.missing;
    }
    const auto numbers = [](const auto& side) {
        return side ? std::span<const double>(side->numbers) : std::span<const double>();
    };
    loaded.distributions = visualizers::makeDistributions(numbers(sides.expected), numbers(sides.actual));
    return loaded;
}

/// Without a comparison, the value is shown at the first of the two places.
void DebugValuePane::show(const Loaded& loaded) {
    const bool alone = comparedWith->currentIndex() <= 0;
    const QString other =
        comparedWith->currentIndex() == 1 ? QStringLiteral("Reference") : QStringLiteral("Previous");
    visualizers::ComparedValues sides = loaded.values;
    if (alone) {
        sides.expected = std::exchange(sides.actual, nullptr);
        sides.noExpected = std::exchange(sides.noActual, {});
    }
    tensors->setNames(alone ? QStringLiteral("Value") : other, QStringLiteral("Value"));
    tensors->setAlone(alone);
    tensors->setComparison(std::move(sides));
    distribution->setNames({.a = other.toLower(),
                            .b = QStringLiteral("value"),
                            .oneSample = QStringLiteral("1 element"),
                            .manySamples = QStringLiteral("%1 elements")});
    distribution->setDistributions(loaded.distributions, {});
}

void DebugValuePane::change() {
    const QString wanted = newValue->text().simplified();
    if (!wanted.isEmpty() && !shown.isEmpty()) {
        session.command(QStringLiteral("set %1 = %2").arg(shown, wanted), [this](const QJsonObject& answer) {
            if (const QString problem = visualizers::readDebugError(answer); !problem.isEmpty()) {
                emit session.failed(problem);
            } else {
                newValue->clear();
                refresh();
            }
        });
    }
}

QString DebugValuePane::details() const {
    return text->text();
}

}  // namespace et::studio
