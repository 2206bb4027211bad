/* Plays the game, and prints what it learns. Calls that should succeed go through `must`. */
#include "game.h"

#include <stdio.h>
#include <stdlib.h>

static void must(const char *error) {
    if (error) {
        printf("unexpected: %s\n", error);
        exit(1);
    }
}

static void print_changes(Game *game) {
    const Entity *entities;
    size_t count;
    must(game_changed(game, &entities, &count));
    for (size_t i = 0; i < count; i++) {
        Position at;
        const char *error = game_position(game, entities[i], &at);
        if (error)
            printf("  %s\n", error);
        else
            printf("  %llx is at %d, %d\n", (unsigned long long)entities[i], at.x, at.y);
    }
}

int main(void) {
    Game *game = game_new();
    Entity hero, tree, lost;
    must(game_create(game, (Position){0, 0}, (Velocity){1, 2}, &hero));
    must(game_create(game, (Position){8, 8}, (Velocity){0, 0}, &tree));
    puts("created");
    print_changes(game);

    for (int i = 0; i < 3; i++)
        must(game_step(game));
    puts("three steps");
    print_changes(game);

    must(game_destroy(game, tree));
    puts("destroyed");
    print_changes(game);
    printf("  again: %s\n", game_destroy(game, tree));
    printf("  not an entity: %s\n", game_destroy(game, 7));
    printf("  no game: %s\n", game_step(NULL));

    must(game_create(game, (Position){INT32_MAX, 0}, (Velocity){1, 0}, &lost));
    printf("beyond the edge\n  %s\n", game_step(game));
    print_changes(game);
    must(game_destroy(game, lost));
    must(game_step(game));
    puts("and on");
    print_changes(game);

    game_free(game);
    return 0;
}
