#pragma once

#include <QWidget>

#include <cstddef>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace et::studio {

/// What a room shows while it has nothing of its own: a line on what it is for, and cards beside one another
/// (below, where they are too wide) with what there is and a button that goes on.
class CardPage : public QWidget {
    Q_OBJECT

  public:
    explicit CardPage(QWidget* parent = nullptr);

    /// The line above the cards.
    void setHeadline(const QString& text);
    [[nodiscard]] QLabel& headline() { return *line; }

    /// A further card. `button` may be empty: the card only says. Its number is that of acted().
    std::size_t addCard(const QString& title, const QString& button);
    /// Rich text; links in it come as linkActivated().
    void setText(std::size_t card, const QString& html);
    [[nodiscard]] QString text(std::size_t card) const;
    /// Of a card that has a button.
    void setButton(std::size_t card, const QString& text);
    void setButtonEnabled(std::size_t card, bool enabled);
    void setCardShown(std::size_t card, bool shown);
    /// Without cards the line stands alone.
    void showCards(bool shown);
    /// Takes what the cards leave of the page, in place of nothing.
    void setBelow(QWidget* widget);
    /// Without it the cards stand in the middle.
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
    int columns = 0;  ///< in which they stand now
};

}  // namespace et::studio
