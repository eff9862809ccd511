#pragma once

#include <QWidget>

#include <cstddef>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace et::studio {

/// Placeholder of an empty panel: a line about its purpose, and cards side by side (stacked if space is
/// short) with information and a button.
class CardPage : public QWidget {
    Q_OBJECT

  public:
    explicit CardPage(QWidget* parent = nullptr);

    /// The line above the cards.
    void setHeadline(const QString& text);
    [[nodiscard]] QLabel& headline() { return *line; }

    /// Adds a card. If `button` is empty, the card has text only. Returns its number, as in acted().
    std::size_t addCard(const QString& title, const QString& button);
    /// Rich text; its links emit linkActivated().
    void setText(std::size_t card, const QString& html);
    [[nodiscard]] QString text(std::size_t card) const;
    /// Only for cards with a button.
    void setButton(std::size_t card, const QString& text);
    void setButtonEnabled(std::size_t card, bool enabled);
    void setCardShown(std::size_t card, bool shown);
    /// Shows or hides the cards; without them only the headline is visible.
    void showCards(bool shown);
    /// Adds a widget that fills the rest of the page.
    void setBelow(QWidget* widget);
    /// Shows or hides that widget; without it, the cards are centered.
    void showBelow(bool shown);

  signals:
    void acted(std::size_t card);
    void linkActivated(const QString& link);

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Card {
        QWidget* frame;
        QLabel* text;
        QPushButton* button;  ///< null: none
    };
    void place();
    void fit();

    QLabel* line;
    QVBoxLayout* column;
    QWidget* area;
    QGridLayout* grid;
    QWidget* below = nullptr;
    std::vector<Card> cards;
    int columns = 0;  ///< current number of columns of cards
};

}  // namespace et::studio
