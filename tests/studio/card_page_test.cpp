// Tests that card pages show all their text at any window size.
#include "app/studio/card_page.h"

#include "app/studio/empty_page.h"
#include "tests/studio/studio_fixture.h"

#include <QCoreApplication>
#include <QLabel>
#include <QScrollArea>
#include <QTest>

#include <gtest/gtest.h>

namespace et::test {

namespace {

class CardPageTest : public StudioTest {
  protected:
    /// Shows the page in a scroll area, like panels.
    static void show(QScrollArea& pane, QWidget* page) {
        pane.setWidgetResizable(true);
        pane.setWidget(page);
        pane.show();
    }
    static void expectWholeTexts(const QWidget& page, const QSize& size) {
        for (const QLabel* const label : page.findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty()) {
                continue;
            }
            const int needed = label->hasHeightForWidth() ? label->heightForWidth(label->width())
                                                          : label->sizeHint().height();
            EXPECT_GE(label->height(), needed)
                << size.width() << " x " << size.height() << ": " << label->text().toStdString();
            EXPECT_TRUE(page.rect().contains(QRect(label->mapTo(&page, QPoint()), label->size())))
                << size.width() << " x " << size.height() << ": " << label->text().toStdString();
        }
    }
};

constexpr QSize cardSizes[] = {{1600, 900}, {420, 300}, {900, 260}, {1400, 200}, {360, 700}, {1000, 500}};

TEST_F(CardPageTest, TextsAreWholeRightAfterAResize) {
    const QString text = QStringLiteral("What a person reads before anything is measured. ").repeated(5);
    auto* const page = new studio::CardPage;
    page->setHeadline(text);
    for (const char* const title : {"One", "Two", "Three"}) {
        page->setText(page->addCard(QLatin1String(title), QStringLiteral("Go on")), text);
    }
    QScrollArea pane;
    show(pane, page);
    for (const QSize& size : cardSizes) {
        pane.resize(size);
        QCoreApplication::sendPostedEvents();
        expectWholeTexts(*page, size);
    }
    page->setText(1, text.repeated(4));
    QTest::qWait(0);
    expectWholeTexts(*page, pane.size());
}

TEST_F(CardPageTest, TheFirstPageIsWhole) {
    auto* const page = new studio::EmptyPage;
    QList<QStringList> sets;
    for (int i = 0; i < 6; ++i) {
        sets.append({QStringLiteral("/models/%1/mobilenet_v2_small_xnnpack.etdp").arg(i)});
    }
    page->setRecent(sets);
    QScrollArea pane;
    show(pane, page);
    for (const QSize& size : cardSizes) {
        pane.resize(size);
        QCoreApplication::sendPostedEvents();
        expectWholeTexts(*page, size);
    }
}

}  // namespace

}  // namespace et::test
