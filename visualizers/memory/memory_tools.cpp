#include "visualizers/memory/memory_tools.h"

#include "inspector/memory/memory_text.h"
#include "visualizers/toolkit/text.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace et::visualizers {

namespace {

enum MemoryAxis : int { Instructions, Time };

constexpr int lettersOfMethod = 8;

bool chooseText(QComboBox& box, const QString& text) {
    const int found = box.findText(text);
    if (found >= 0) {
        box.setCurrentIndex(found);
    }
    return found >= 0;
}

std::size_t indexIn(const QComboBox& box) {
    return static_cast<std::size_t>(std::max(box.currentIndex(), 0));
}

}  // namespace

MemoryTools::MemoryTools(QWidget* parent)
    : QToolBar(parent),
      methods(addChoice("memoryMethod", QStringLiteral("Method"))),
      arenas(addChoice("memoryArena", QStringLiteral("Arena: a block of memory with its own plan"))),
      axes(addChoice("memoryAxis", QStringLiteral("Horizontal axis"))),
      colours(addChoice("memoryColours", QStringLiteral("Meaning of the colours"))),
      plans(addChoice("memoryPlan", QStringLiteral("Memory plan: the program's own or another"))),
      search(new QLineEdit(this)) {
    axes->addItems({QStringLiteral("By instruction"), QStringLiteral("By time")});
    colours->addItems({QStringLiteral("Colour by kind"), QStringLiteral("Colour by type"),
                       QStringLiteral("Colour by operator"), QStringLiteral("Colour by lifetime")});
    // Long method names would leave no space for the search field in a narrow pane.
    methods->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    methods->setMinimumContentsLength(lettersOfMethod);
    search->setObjectName(QStringLiteral("memoryFilter"));
    search->setClearButtonEnabled(true);
    search->setPlaceholderText(QStringLiteral("Find tensors by operator, kind, type or value"));
    addWidget(search);
    connect(methods, &QComboBox::currentIndexChanged, this, &MemoryTools::methodChanged);
    connect(arenas, &QComboBox::currentIndexChanged, this, &MemoryTools::arenaChanged);
    connect(axes, &QComboBox::currentIndexChanged, this, &MemoryTools::axisChanged);
    connect(plans, &QComboBox::currentIndexChanged, this, &MemoryTools::planChanged);
    connect(colours, &QComboBox::currentIndexChanged, this, &MemoryTools::coloursChanged);
    connect(search, &QLineEdit::textChanged, this, &MemoryTools::filterChanged);
}

QComboBox* MemoryTools::addChoice(const char* name, const QString& tip) {
    auto* const box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    addWidget(box);
    return box;
}

void MemoryTools::setMethods(const MemoryPlans& shown) {
    const QSignalBlocker quiet(methods);
    const QString before = methods->currentText();
    methods->clear();
    for (const auto& each : shown.methods) {
        methods->addItem(toQString(each->timeline.method->name));
    }
    methods->setCurrentIndex(std::max(methods->findText(before), shown.methods.empty() ? -1 : 0));
    actions().at(0)->setVisible(methods->count() > 1);
}

void MemoryTools::setArenas(const MemoryPlan* plan) {
    const QSignalBlocker quiet(arenas);
    arenas->clear();
    for (std::size_t i = 0; plan != nullptr && i < plan->timeline.arenas.size(); ++i) {
        arenas->addItem(QStringLiteral("Arena %1").arg(plan->timeline.arenas[i].arena.value));
    }
    actions().at(1)->setVisible(arenas->count() > 1);
}

void MemoryTools::setPlans(std::span<const inspector::AlternativePlan> others) {
    const QSignalBlocker quiet(plans);
    plans->clear();
    plans->addItem(QStringLiteral("As planned"));
    for (const inspector::AlternativePlan& each : others) {
        plans->addItem(QStringLiteral("%1, aligned to %2")
                           .arg(toQString(inspector::strategyName(each.strategy)))
                           .arg(each.alignment));
    }
}

void MemoryTools::setTimed(bool timed) {
    axes->setEnabled(timed);
    axes->setToolTip(timed ? QStringLiteral("Horizontal axis")
                           : QStringLiteral("Horizontal axis: open a trace to see time"));
}

std::size_t MemoryTools::method() const {
    return indexIn(*methods);
}

std::size_t MemoryTools::arena() const {
    return indexIn(*arenas);
}

std::size_t MemoryTools::plan() const {
    return indexIn(*plans);
}

bool MemoryTools::overTime() const {
    return axes->currentIndex() == Time;
}

ColourBy MemoryTools::colourBy() const {
    return static_cast<ColourBy>(colours->currentIndex());
}

QString MemoryTools::filter() const {
    return search->text();
}

QString MemoryTools::methodName() const {
    return methods->currentText();
}

QString MemoryTools::arenaName() const {
    return arenas->currentText();
}

QString MemoryTools::planName() const {
    return plans->currentText();
}

void MemoryTools::chooseMethod(std::size_t at) {
    methods->setCurrentIndex(static_cast<int>(at));
}

void MemoryTools::choosePlan(std::size_t at) {
    if (static_cast<int>(at) < plans->count()) {
        plans->setCurrentIndex(static_cast<int>(at));
    }
}

bool MemoryTools::chooseMethod(const QString& name) {
    return chooseText(*methods, name);
}

bool MemoryTools::chooseArena(const QString& name) {
    return chooseText(*arenas, name);
}

bool MemoryTools::choosePlan(const QString& name) {
    return chooseText(*plans, name);
}

void MemoryTools::focusFilter() {
    search->setFocus(Qt::ShortcutFocusReason);
    search->selectAll();
}

std::pair<int, int> MemoryTools::looks() const {
    return {axes->currentIndex(), colours->currentIndex()};
}

void MemoryTools::setLooks(const std::pair<int, int>& axisAndColours) {
    axes->setCurrentIndex(axisAndColours.first);
    colours->setCurrentIndex(axisAndColours.second);
}

}  // namespace et::visualizers
