#include "app/studio/empty_page.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace et::studio {

namespace {

constexpr int iconSide = 96;
constexpr double titleScale = 1.5;

}  // namespace

EmptyPage::EmptyPage(QWidget* parent) : QWidget(parent) {
    auto* const icon = new QLabel(this);
    icon->setPixmap(QApplication::windowIcon().pixmap(iconSide));
    auto* const title = new QLabel(tr("Drop files here, or File > Open"), this);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * titleScale);
    title->setFont(large);
    auto* const text =
        new QLabel(tr("A trace (.etdp) shows where the time goes. The model's ETRecord adds operators, "
                      "modules and\nPython lines. A bundled program (.bpte) has test cases that check the "
                      "numbers.\nDrop files together, in any order."),
                   this);
    text->setTextFormat(Qt::PlainText);
    auto* const button = new QPushButton(tr("Open…"), this);
    connect(button, &QPushButton::clicked, this, &EmptyPage::openRequested);

    auto* const layout = new QVBoxLayout(this);
    layout->addStretch();
    for (QLabel* const label : {icon, title, text}) {
        label->setAlignment(Qt::AlignCenter);
        layout->addWidget(label);
    }
    layout->addWidget(button, 0, Qt::AlignCenter);
    layout->addStretch();
}

}  // namespace et::studio
